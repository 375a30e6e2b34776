// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/cases.hpp"

namespace isobath {
namespace {

std::vector<std::int64_t> allgather_counts(const Setting& setting) {
  if (!setting.counts.elements.empty()) return setting.counts.elements;
  return std::vector<std::int64_t>(static_cast<std::size_t>(setting.ranks), setting.block);
}

/// Every rank's block goes to all.
Layout allgather_layout(const Setting& setting, int rank) {
  const std::vector<std::int64_t> counts = allgather_counts(setting);
  Layout made;
  made.send_elements = counts[static_cast<std::size_t>(rank)];
  made.arguments.send_count = made.send_elements;
  made.arguments.receive_count = setting.block;
  made.arguments.receive_counts = counts;
  made.arguments.receive_offsets = offsets_of(counts);
  made.receive_elements = sum_of(counts);
  made.sent = {{.count = made.send_elements, .source = rank}};
  for (int source = 0; source < setting.ranks; ++source) {
    const auto s = static_cast<std::size_t>(source);
    made.expected.push_back(
        {.offset = made.arguments.receive_offsets[s], .count = counts[s], .source = source});
  }
  return made;
}

std::int64_t allgather_contribution(const Setting& setting) {
  return std::ranges::max(allgather_counts(setting));
}

/// What others contribute comes into every rank: most into the one that contributes least.
std::int64_t allgather_wire(const Setting& setting) {
  const std::vector<std::int64_t> counts = allgather_counts(setting);
  return sum_of(counts) - std::ranges::min(counts);
}

}  // namespace

std::vector<Case> allgather_cases() {
  const Case allgather{.collective = Collective::allgather,
                       .counts = Case::CountForm::from_each,
                       .layout = allgather_layout,
                       .contribution = allgather_contribution,
                       .wire = allgather_wire};
  Case allgatherv = allgather;
  allgatherv.collective = Collective::allgatherv;
  allgatherv.is_irregular = true;
  return {allgather, allgatherv};
}

}  // namespace isobath
