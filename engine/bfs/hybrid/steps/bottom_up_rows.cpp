// SPDX-License-Identifier: Apache-2.0
// The bottom-up step as it is published: rows alone, no planes.
#include <bit>

#include "bfs/hybrid/steps/bottom_up.hpp"

namespace isobath {

LevelCounts bottom_up_rows(const BottomUpRange& range) {
  const Graph& graph = range.graph;
  LevelCounts counts;
  for (std::size_t w = 0; w < range.words; ++w) {
    Word found = 0;
    Word unvisited = ~range.visited[w] & graph.has_arc[range.first_row_word + w];
    for (; unvisited != 0; unvisited &= unvisited - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(unvisited));
      const auto local = static_cast<std::uint32_t>(w * word_bits) + bit;
      const auto row = static_cast<std::uint32_t>(range.first_row_word * word_bits) + local;
      for (const std::uint32_t col : graph.by_target.of(row)) {
        ++counts.arcs_scanned;
        if (!test_bit(range.visited_cols, col)) continue;
        range.parent_col[local] = col;
        found |= Word{1} << bit;
        break;
      }
    }
    range.visited_after[w] = range.visited[w] | found;
    counts.found += std::popcount(found);
  }
  return counts;
}

}  // namespace isobath
