// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/top_down.hpp"

#include <algorithm>
#include <atomic>

namespace isobath {
namespace {

/// A plain store to a place where two threads may race: whichever wins is right.
inline void store_racing(std::uint32_t* at, std::uint32_t value) {
  std::atomic_ref(*at).store(value, std::memory_order_relaxed);
}

/// Calls visit(source, first, end) for every source with arcs in the range: those in it are number first ..
/// end - 1 of the source.
template <class Visit>
inline void for_each_source(const ArcRange& range, Visit visit) {
  const auto& before = range.arcs_before;
  auto k = static_cast<std::size_t>(std::upper_bound(before.begin(), before.end(), range.first_arc) -
                                    before.begin() - 1);
  for (std::uint64_t arc = range.first_arc; arc < range.end_arc; ++k) {
    const std::uint32_t source = range.frontier[k];
    const std::uint64_t end = std::min(before[k + 1], range.end_arc);
    visit(source, arc - before[k], end - before[k]);
    arc = end;
  }
}

}  // namespace

void propose_parents(const Rows& rows, const Families& families, const ArcRange& arcs, Word* visited,
                     std::uint32_t* parent_col) {
  for_each_source(arcs, [&](std::uint32_t source, std::uint64_t first, std::uint64_t end) {
    const std::uint32_t* const targets = rows.of(source).data();
    const auto scan = [&](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t at = from; at < to; ++at) {
        const std::uint32_t target = targets[at];
        if (mark_bit(visited, target)) store_racing(parent_col + target, source);
      }
    };
    // The arcs to its family stand together among those of a head: what is before, then what is behind.
    const Families::Members members = families.members(source);
    scan(first, std::min<std::uint64_t>(end, members.first));
    scan(std::max<std::uint64_t>(first, members.first + members.size()), end);
  });
}

std::size_t claim_targets(const Rows& rows, const ArcRange& arcs, std::span<Word> visited,
                          std::uint32_t* parent_col, std::uint32_t* found) {
  std::size_t count = 0;
  for_each_source(arcs, [&](std::uint32_t source, std::uint64_t first, std::uint64_t end) {
    for (const std::uint32_t target : rows.of(source).subspan(first, end - first)) {
      if (!claim_bit(visited, target)) continue;
      parent_col[target] = source;
      found[count++] = target;
    }
  });
  return count;
}

std::size_t top_down_small(const Rows& rows, std::span<const std::uint32_t> frontier, Word* visited,
                           std::uint32_t* parent_col, std::uint32_t* next) {
  std::size_t found = 0;
  for (const std::uint32_t source : frontier) {
    for (const std::uint32_t target : rows.of(source)) {
      if (!mark_bit(visited, target)) continue;
      parent_col[target] = source;
      next[found++] = target;
    }
  }
  return found;
}

}  // namespace isobath
