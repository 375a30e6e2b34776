// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

namespace isobath {
namespace {

/// Every rank has a vector of `block` elements; who gets the combination is what differs.
Layout reduce_layout(const Setting& setting, int rank, bool gets_result) {
  Layout made;
  made.arguments.send_count = setting.block;
  made.send_elements = setting.block;
  made.sent = {{.count = setting.block, .source = rank, .is_combined = true}};
  if (!gets_result) return made;
  made.receive_elements = setting.block;
  made.expected = {
      {.kind = ExpectedBlock::Kind::combined, .count = setting.block, .end_rank = setting.ranks}};
  return made;
}

std::int64_t reduce_contribution(const Setting& setting) { return setting.block; }

/// A rank must hear of all others' elements, already combined: one vector.
std::int64_t reduce_wire(const Setting& setting) { return setting.ranks > 1 ? setting.block : 0; }

/// Each rank combines its part, 1/P of the vector, of all (P - 1 parts come in), and tells the others (as
/// many come in again): 2 (P - 1) / P of the vector, rounded up.
std::int64_t allreduce_wire(const Setting& setting) {
  const std::int64_t ranks = setting.ranks;
  const std::int64_t whole = setting.block / ranks * 2 * (ranks - 1);
  return whole + (setting.block % ranks * 2 * (ranks - 1) + ranks - 1) / ranks;
}

}  // namespace

std::vector<Case> reduce_cases() {
  return {{.collective = Collective::reduce,
           .counts = Case::CountForm::from_each,
           .has_root = true,
           .is_reduction = true,
           .layout = [](const Setting& setting,
                        int rank) { return reduce_layout(setting, rank, rank == setting.root_rank); },
           .contribution = reduce_contribution,
           .wire = reduce_wire},
          {.collective = Collective::allreduce,
           .counts = Case::CountForm::from_each,
           .is_reduction = true,
           .layout = [](const Setting& setting, int rank) { return reduce_layout(setting, rank, true); },
           .contribution = reduce_contribution,
           .wire = allreduce_wire}};
}

}  // namespace isobath
