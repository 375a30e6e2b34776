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

/// Calls visit(source, targets) for every row, or part of one, of the range.
template <class Visit>
inline void for_each_run(const Rows& rows, const ArcRange& range, Visit visit) {
  const auto& before = range.arcs_before;
  auto k = static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), range.first_arc) -
                                    before.begin() - 1);
  for (std::uint64_t arc = range.first_arc; arc < range.end_arc; ++k) {
    const std::uint32_t source = range.frontier[k];
    const std::uint64_t end = std::min(before[k + 1], range.end_arc);
    visit(source, rows.of(source).subspan(arc - before[k], end - arc));
    arc = end;
  }
}

}  // namespace

void propose_parents(const Rows& rows, const ArcRange& arcs, Word* visited, std::uint32_t* parent_col) {
  for_each_run(rows, arcs, [&](std::uint32_t source, std::span<const std::uint32_t> targets) {
    for (const std::uint32_t target : targets) {
      Word& word = visited[target / word_bits];
      const Word bit = Word{1} << (target % word_bits);
      if ((word & bit) != 0) continue;
      word |= bit;
      store_racing(parent_col + target, source);
    }
  });
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
