// SPDX-License-Identifier: Apache-2.0
#include "sssp/own_vertices.hpp"

#include <span>

namespace isobath {

std::vector<WeightedArc> OwnVertices::ways_up(std::size_t own) const {
  const std::uint32_t at = entry[own];
  if (at < first_own()) return {{at, weight[own]}};
  if (at < first_several()) return {{upper[at - first_own()], 0}};
  const std::span<const WeightedArc> arcs = several.of(at - first_several());
  return {arcs.begin(), arcs.end()};
}

std::uint32_t OwnVertices::way_up(std::size_t own) const {
  const std::uint32_t at = entry[own];
  if (at < first_own()) return at;
  if (at < first_several()) return upper[at - first_own()];
  return several.of(at - first_several()).front().to;
}

OwnVertices place_own_vertices(const KeptEdges& kept, const BlockPartition& blocks, int rank,
                               const UpperGraph& upper, const UpperNumbers& numbers) {
  const std::int64_t first = blocks.first(rank);
  const std::size_t size = kept.rows.num_rows();
  OwnVertices own;
  own.num_upper = upper.size();
  own.entry = LargeArray<std::uint32_t>(size);
  own.weight = LargeArray<float>(size);

  std::size_t rows = 0;
  std::uint64_t arcs = 0;
  for (std::size_t v = 0; v < size; ++v) {
    const std::uint32_t number = numbers.of[static_cast<std::size_t>(first) + v];
    const std::size_t length = kept.rows.of(v).size();
    if (number != UpperNumbers::not_upper) {
      own.upper.push_back(number);
    } else if (length > 1) {
      ++rows;
      arcs += length;
    }
  }
  own.several.start = LargeArray<std::uint64_t>(rows + 1);
  own.several.arc = LargeArray<WeightedArc>(arcs);

  std::uint32_t next_own = own.first_own();
  std::uint32_t next_several = own.first_several();
  std::uint64_t at = 0;
  for (std::size_t v = 0; v < size; ++v) {
    const std::span<const WeightedArc> row = kept.rows.of(v);
    if (numbers.of[static_cast<std::size_t>(first) + v] != UpperNumbers::not_upper) {
      own.entry[v] = next_own++;
    } else if (row.empty()) {
      own.entry[v] = own.unreached();
    } else if (row.size() == 1) {
      own.entry[v] = numbers.of[row[0].to];
      own.weight[v] = row[0].weight;
    } else {
      own.entry[v] = next_several++;
      for (const auto& [to, weight] : row) own.several.arc[at++] = {numbers.of[to], weight};
      own.several.start[next_several - own.first_several()] = at;
    }
  }
  return own;
}

}  // namespace isobath
