// SPDX-License-Identifier: Apache-2.0
#include "sssp/pull_streams.hpp"

#include <limits>

namespace isobath {

PullStreams make_pull_streams(const WeightSortedRows& rows, std::size_t padded) {
  PullStreams streams;
  for (std::size_t k = 0; k < num_light; ++k) {
    streams.weight[k] = LargeArray<float>(padded);
    streams.source[k] = LargeArray<std::uint32_t>(padded);
  }
  streams.next_weight = LargeArray<float>(padded);
  constexpr float none = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < padded; ++row) {
    const auto neighbours = row < rows.num_rows() ? rows.of(static_cast<std::uint32_t>(row))
                                                  : std::span<const WeightedNeighbour>();
    for (std::size_t k = 0; k < num_light; ++k) {
      streams.weight[k][row] = k < neighbours.size() ? neighbours[k].weight : none;
      streams.source[k][row] = k < neighbours.size() ? neighbours[k].index : 0;
    }
    streams.next_weight[row] = num_light < neighbours.size() ? neighbours[num_light].weight : none;
  }
  return streams;
}

}  // namespace isobath
