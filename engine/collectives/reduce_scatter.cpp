// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/cases.hpp"

namespace isobath {
namespace {

std::vector<std::int64_t> reduce_scatter_counts(const Setting& setting) {
  if (!setting.counts.elements.empty()) return setting.counts.elements;
  return std::vector<std::int64_t>(static_cast<std::size_t>(setting.ranks), setting.block);
}

/// Every rank has a vector of all blocks; rank r gets block r of the combination.
Layout reduce_scatter_layout(const Setting& setting, int rank) {
  const std::vector<std::int64_t> counts = reduce_scatter_counts(setting);
  const std::vector<std::int64_t> offsets = offsets_of(counts);
  const auto r = static_cast<std::size_t>(rank);
  Layout made;
  made.arguments.receive_counts = counts;
  made.arguments.receive_count = counts[r];
  made.send_elements = sum_of(counts);
  made.receive_elements = counts[r];
  for (std::size_t block = 0; block < counts.size(); ++block) {
    made.sent.push_back({.offset = offsets[block],
                         .count = counts[block],
                         .source = rank,
                         .first_index = offsets[block],
                         .is_combined = true});
  }
  made.expected = {{.kind = ExpectedBlock::Kind::combined,
                    .count = counts[r],
                    .first_index = offsets[r],
                    .end_rank = setting.ranks}};
  return made;
}

std::int64_t reduce_scatter_contribution(const Setting& setting) {
  return sum_of(reduce_scatter_counts(setting));
}

/// A rank must part with what it knows of all blocks but its own, and hear of its own: most is what the rank
/// of the smallest block sends, or what comes in for the largest.
std::int64_t reduce_scatter_wire(const Setting& setting) {
  if (setting.ranks == 1) return 0;
  const std::vector<std::int64_t> counts = reduce_scatter_counts(setting);
  return std::max(sum_of(counts) - std::ranges::min(counts), std::ranges::max(counts));
}

}  // namespace

std::vector<Case> reduce_scatter_cases() {
  const Case block{.collective = Collective::reduce_scatter_block,
                   .counts = Case::CountForm::to_each,
                   .is_reduction = true,
                   .layout = reduce_scatter_layout,
                   .contribution = reduce_scatter_contribution,
                   .wire = reduce_scatter_wire};
  Case irregular = block;
  irregular.collective = Collective::reduce_scatter;
  irregular.is_irregular = true;
  return {irregular, block};
}

}  // namespace isobath
