// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

namespace isobath {
namespace {

std::vector<std::int64_t> scatter_counts(const Setting& setting) {
  if (!setting.counts.elements.empty()) return setting.counts.elements;
  return std::vector<std::int64_t>(static_cast<std::size_t>(setting.ranks), setting.block);
}

/// The root rank has a block for everybody.
Layout scatter_layout(const Setting& setting, int rank) {
  const std::vector<std::int64_t> counts = scatter_counts(setting);
  const int root = setting.root_rank;
  const std::int64_t own = counts[static_cast<std::size_t>(rank)];
  Layout made;
  made.arguments.receive_count = own;
  made.receive_elements = own;
  made.expected = {{.count = own, .source = root, .destination = rank}};
  if (rank != root) return made;
  made.arguments.send_count = setting.block;
  made.arguments.send_counts = counts;
  made.arguments.send_offsets = offsets_of(counts);
  made.send_elements = sum_of(counts);
  for (int destination = 0; destination < setting.ranks; ++destination) {
    const auto d = static_cast<std::size_t>(destination);
    made.sent.push_back({.offset = made.arguments.send_offsets[d],
                         .count = counts[d],
                         .source = root,
                         .destination = destination});
  }
  return made;
}

std::int64_t scatter_contribution(const Setting& setting) { return sum_of(scatter_counts(setting)); }

/// All that is for others leaves the root rank.
std::int64_t scatter_wire(const Setting& setting) {
  const std::vector<std::int64_t> counts = scatter_counts(setting);
  return sum_of(counts) - counts[static_cast<std::size_t>(setting.root_rank)];
}

}  // namespace

std::vector<Case> scatter_cases() {
  const Case scatter{.collective = Collective::scatter,
                     .counts = Case::CountForm::to_each,
                     .has_root = true,
                     .layout = scatter_layout,
                     .contribution = scatter_contribution,
                     .wire = scatter_wire};
  Case scatterv = scatter;
  scatterv.collective = Collective::scatterv;
  scatterv.is_irregular = true;
  return {scatter, scatterv};
}

}  // namespace isobath
