// SPDX-License-Identifier: Apache-2.0
#include "bfs/top_down.hpp"

#include <algorithm>
#include <atomic>

namespace isobath {
namespace {

/// A plain store to a place where two threads may race: whichever wins is right.
inline void store_racing(std::uint32_t* at, std::uint32_t value) {
  std::atomic_ref(*at).store(value, std::memory_order_relaxed);
}

}  // namespace

void top_down_step(const Rows& rows, std::span<const std::uint32_t> frontier,
                   std::span<const std::uint64_t> arcs_before, std::uint64_t first_arc, std::uint64_t end_arc,
                   Word* visited, std::uint32_t* parent_col) {
  auto k = static_cast<std::size_t>(
      std::upper_bound(arcs_before.begin(), arcs_before.end(), first_arc) - arcs_before.begin() - 1);
  for (std::uint64_t arc = first_arc; arc < end_arc; ++k) {
    const std::uint32_t source = frontier[k];
    const std::uint64_t end = std::min(arcs_before[k + 1], end_arc);
    const std::uint32_t* target = rows.neighbour.data() + rows.start[source] + (arc - arcs_before[k]);
    for (; arc < end; ++arc, ++target) {
      Word& word = visited[*target / word_bits];
      const Word bit = Word{1} << (*target % word_bits);
      if ((word & bit) != 0) continue;
      word |= bit;
      store_racing(parent_col + *target, source);
    }
  }
}

std::size_t top_down_small(const Rows& rows, std::span<const std::uint32_t> frontier, Word* visited,
                           std::uint32_t* parent_col, std::uint32_t* next) {
  std::size_t found = 0;
  for (const std::uint32_t source : frontier) {
    for (const std::uint32_t target : rows.of(source)) {
      Word& word = visited[target / word_bits];
      const Word bit = Word{1} << (target % word_bits);
      if ((word & bit) != 0) continue;
      word |= bit;
      parent_col[target] = source;
      next[found++] = target;
    }
  }
  return found;
}

}  // namespace isobath
