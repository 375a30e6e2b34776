// SPDX-License-Identifier: Apache-2.0
#include "sssp/own_vertices.hpp"

#include <bit>
#include <span>

namespace isobath {
namespace {

constexpr std::size_t groups_per_block = OwnVertices::block / OwnVertices::group;

void set_member(LargeArray<std::uint16_t>& mask, std::size_t vertex) {
  mask[vertex / OwnVertices::group] |= static_cast<std::uint16_t>(1U << (vertex % OwnVertices::group));
}

}  // namespace

OwnVertices::OwnVertices(const KeptEdges& kept, std::int64_t first, const UpperGraph& upper,
                         const UpperNumbers& numbers)
    : size_(kept.rows.num_rows()), num_upper_(upper.size()) {
  const auto upper_number = [&](std::size_t v) { return numbers.of[static_cast<std::size_t>(first) + v]; };
  present = LargeArray<std::uint16_t>(num_blocks() * groups_per_block);
  computed = LargeArray<std::uint16_t>(present.size());
  before = LargeArray<std::uint32_t>(num_blocks() + 1);
  std::size_t rows = 0;
  std::uint64_t arcs = 0;
  for (std::size_t v = 0; v < size_; ++v) {
    const std::size_t length = kept.rows.of(v).size();
    if (length == 0) continue;
    set_member(present, v);
    ++before[v / block + 1];
    const bool is_upper = upper_number(v) != UpperNumbers::not_upper;
    if (is_upper || length > 1) set_member(computed, v);
    if (is_upper || length == 1) continue;
    ++rows;
    arcs += length;
  }
  for (std::size_t b = 1; b < before.size(); ++b) before[b] += before[b - 1];
  const std::size_t streamed = before[num_blocks()] + group;
  from = LargeArray<std::uint32_t>(streamed);
  by = LargeArray<float>(streamed);
  from_parent = LargeArray<std::uint32_t>(streamed);
  several.start = LargeArray<std::uint64_t>(rows + 1);
  several.neighbour = LargeArray<WeightedArc>(arcs);

  std::size_t at = 0;
  std::uint32_t row_of_several = 0;
  for (std::size_t v = 0; v < size_; ++v) {
    const std::span<const WeightedArc> row = kept.rows.of(v);
    if (row.empty()) continue;
    if (upper_number(v) != UpperNumbers::not_upper) {
      from[at] = upper_number(v);
    } else if (row.size() == 1) {
      from[at] = numbers.of[row[0].to];
      by[at] = row[0].weight;
      from_parent[at] = row[0].to;
    } else {
      from[at] = num_upper_ + row_of_several;
      std::uint64_t place = several.start[row_of_several++];
      for (const auto& [to, weight] : row) several.neighbour[place++] = {numbers.of[to], weight};
      several.start[row_of_several] = place;
    }
    ++at;
  }
}

/// Where own vertex `own`, not isolated, stands in the streams.
std::size_t OwnVertices::rank_of(std::size_t own) const {
  std::size_t rank = before[own / block];
  const std::size_t last = own / group;
  for (std::size_t g = own / block * groups_per_block; g < last; ++g) {
    rank += static_cast<std::size_t>(std::popcount(present[g]));
  }
  const auto below = static_cast<std::uint16_t>((1U << (own % group)) - 1U);
  return rank + static_cast<std::size_t>(std::popcount(static_cast<std::uint16_t>(present[last] & below)));
}

std::vector<WeightedArc> OwnVertices::ways_up(std::size_t own) const {
  const std::size_t at = rank_of(own);
  if (from[at] < num_upper_) return {{from[at], by[at]}};
  const std::span<const WeightedArc> arcs = several.of(from[at] - num_upper_);
  return {arcs.begin(), arcs.end()};
}

}  // namespace isobath
