// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

namespace isobath {
namespace {

/// Every rank has a vector of `block` elements and gets the combination of ranks 0 to end_rank - 1. Of none
/// of them MPI leaves the result undefined: nothing is expected then.
Layout scan_layout(const Setting& setting, int rank, int end_rank) {
  Layout made;
  made.arguments.send_count = setting.block;
  made.send_elements = setting.block;
  made.receive_elements = setting.block;
  made.sent = {{.count = setting.block, .source = rank, .is_combined = true}};
  if (end_rank == 0) return made;
  made.expected = {{.kind = ExpectedBlock::Kind::combined, .count = setting.block, .end_rank = end_rank}};
  return made;
}

std::int64_t scan_contribution(const Setting& setting) { return setting.block; }

/// A rank hears of those before it, combined: one vector.
std::int64_t scan_wire(const Setting& setting) { return setting.ranks > 1 ? setting.block : 0; }

}  // namespace

std::vector<Case> scan_cases() {
  return {{.collective = Collective::scan,
           .counts = Case::CountForm::from_each,
           .is_reduction = true,
           .layout = [](const Setting& setting, int rank) { return scan_layout(setting, rank, rank + 1); },
           .contribution = scan_contribution,
           .wire = scan_wire},
          {.collective = Collective::exscan,
           .counts = Case::CountForm::from_each,
           .is_reduction = true,
           .layout = [](const Setting& setting, int rank) { return scan_layout(setting, rank, rank); },
           .contribution = scan_contribution,
           .wire = scan_wire}};
}

}  // namespace isobath
