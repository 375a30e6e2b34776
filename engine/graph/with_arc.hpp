// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/sparse_members.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/piece_list.hpp"
#include "graph/rows.hpp"

namespace isobath {

struct WideRowArc;

/// Some of the sources of arcs, or of the targets, by position: those from `first` on and below `end`.
struct EndRange {
  std::size_t first;
  std::size_t end;
  std::size_t all;  // that there are
  std::size_t size() const { return end - first; }
  bool is_all() const { return size() == all; }
};

/// A bit for each source of the range that has an arc here, and the same of targets; of some alone where
/// `enough` of them have. All arcs are looked at, but for targets of dealt arcs: those of the range.
LargeArray<Word> sources_with_arc(const DealtArcs& arcs, EndRange range, std::size_t enough);
LargeArray<Word> targets_with_arc(const DealtArcs& arcs, EndRange range, std::size_t enough);
/// The same of weighted arcs whose ends are positions of originals, as they were delivered.
LargeArray<Word> sources_with_arc(const PieceList<RowArc>& arcs, EndRange range, std::size_t enough);
LargeArray<Word> targets_with_arc(const PieceList<RowArc>& arcs, EndRange range, std::size_t enough);
LargeArray<Word> sources_with_arc(const PieceList<WideRowArc>& arcs, EndRange range, std::size_t enough);
LargeArray<Word> targets_with_arc(const PieceList<WideRowArc>& arcs, EndRange range, std::size_t enough);

/// One of these for arcs that stand somewhere.
using MarkEnds = std::function<LargeArray<Word>(EndRange range, std::size_t enough)>;

/// Ends that have a bit at a time, in whole blocks of SparseMembers: as many as there are arcs, so that all
/// passes together look at no more arcs than there are arcs and ends; but at least as many as have 64 MiB of
/// bits.
constexpr std::size_t ends_at_a_time(std::size_t num_arcs) {
  constexpr std::size_t least = std::size_t{1} << 29;
  constexpr std::size_t block = SparseMembers::block_size;
  return std::max(least, (num_arcs + block - 1) / block * block);
}

}  // namespace isobath
