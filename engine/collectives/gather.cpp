// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/cases.hpp"

namespace isobath {
namespace {

std::vector<std::int64_t> gather_counts(const Setting& setting) {
  if (!setting.counts.elements.empty()) return setting.counts.elements;
  return std::vector<std::int64_t>(static_cast<std::size_t>(setting.ranks), setting.block);
}

/// Every rank's block goes to the root rank.
Layout gather_layout(const Setting& setting, int rank) {
  const std::vector<std::int64_t> counts = gather_counts(setting);
  const auto r = static_cast<std::size_t>(rank);
  Layout made;
  made.arguments.send_count = counts[r];
  made.send_elements = counts[r];
  made.sent = {{.count = counts[r], .source = rank}};
  if (rank != setting.root_rank) return made;
  made.arguments.receive_count = setting.block;
  made.arguments.receive_counts = counts;
  made.arguments.receive_offsets = offsets_of(counts);
  made.receive_elements = sum_of(counts);
  for (int source = 0; source < setting.ranks; ++source) {
    const auto s = static_cast<std::size_t>(source);
    made.expected.push_back(
        {.offset = made.arguments.receive_offsets[s], .count = counts[s], .source = source});
  }
  return made;
}

std::int64_t gather_contribution(const Setting& setting) { return std::ranges::max(gather_counts(setting)); }

/// All that others contribute comes into the root rank.
std::int64_t gather_wire(const Setting& setting) {
  const std::vector<std::int64_t> counts = gather_counts(setting);
  return sum_of(counts) - counts[static_cast<std::size_t>(setting.root_rank)];
}

}  // namespace

std::vector<Case> gather_cases() {
  const Case gather{.collective = Collective::gather,
                    .counts = Case::CountForm::from_each,
                    .has_root = true,
                    .layout = gather_layout,
                    .contribution = gather_contribution,
                    .wire = gather_wire};
  Case gatherv = gather;
  gatherv.collective = Collective::gatherv;
  gatherv.is_irregular = true;
  return {gather, gatherv};
}

}  // namespace isobath
