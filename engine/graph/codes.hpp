// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/reciprocal.hpp"
#include "base/sparse_members.hpp"
#include "comm/grid.hpp"
#include "graph/hypersparse.hpp"
#include "graph/layout.hpp"
#include "graph/numbering.hpp"
#include "graph/original_codes.hpp"
#include "graph/rows.hpp"
#include "graph/with_arc.hpp"

namespace isobath {

/// Maps from the originals of this rank's grid column and grid row to its columns and rows (or
/// Numbering::leaf, Numbering::isolated). Needed in construction only. On one rank both are the numbering's
/// own map, not a copy.
struct GridCodes {
  OriginalCodes col;  // by original, counted from the first of the grid column
  OriginalCodes row;  // by position in the grid row's blocks laid one after the other
};

/// The originals that occur in arcs of this rank, where these are so few that the others need no code.
struct OccurringOriginals {
  std::optional<SparseMembers> col;  // sources, by position as in GridCodes
  std::optional<SparseMembers> row;  // targets
};

/// Those that occur, where they are few of `all`.
std::optional<SparseMembers> members_if_few(Hypersparse asked, LargeArray<Word> occurring, std::size_t all);
/// The same, where they are marked by bits of `at_a_time` after the other: whole blocks of SparseMembers.
std::optional<SparseMembers> members_if_few(Hypersparse asked, std::size_t all, std::size_t at_a_time,
                                            const MarkEnds& mark);

/// Collective over the grid's communicators.
GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid);
/// The same, where every rank has codes of what occurs there alone, or of all, row and column apart. Bytes
/// travel for what somebody has.
GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid,
                       OccurringOriginals occurring);

/// The keys by which neighbours are sorted stand where codes stand, and leave the same room.
/// @throws RefusedError when they are too large, as with most of a grid column in one piece
void check_keys(const HeavyFirst& order);

/// An arc on its way to the rank that stores it, ends as positions in that rank's GridCodes.
struct RoutedArc {
  std::uint32_t source;
  std::uint32_t target;
};
/// The same where positions are wide: 12 bytes.
struct WideArc {
  std::uint32_t low_source;
  std::uint32_t low_target;
  std::uint16_t high_source;
  std::uint16_t high_target;
};
static_assert(sizeof(WideArc) == 12);

// Code that takes either asks for their ends by name.
inline std::uint32_t source_of(const RoutedArc& arc) { return arc.source; }
inline std::uint32_t target_of(const RoutedArc& arc) { return arc.target; }
inline std::uint64_t source_of(const WideArc& arc) {
  return arc.low_source | std::uint64_t{arc.high_source} << 32;
}
inline std::uint64_t target_of(const WideArc& arc) {
  return arc.low_target | std::uint64_t{arc.high_target} << 32;
}
/// @tparam Arc  RoutedArc, where both positions have 32 bits, or WideArc
template <class Arc>
Arc arc_between(std::uint64_t source, std::uint64_t target) {
  const auto low_source = static_cast<std::uint32_t>(source);
  const auto low_target = static_cast<std::uint32_t>(target);
  if constexpr (std::is_same_v<Arc, RoutedArc>) {
    return {low_source, low_target};
  } else {
    return {low_source, low_target, static_cast<std::uint16_t>(source >> 32),
            static_cast<std::uint16_t>(target >> 32)};
  }
}

/// A weighted arc whose ends are wide positions, in the place of RowArc until its ends have codes: 16 bytes.
struct WideRowArc {
  WideArc ends;
  float weight;
};
static_assert(sizeof(WideRowArc) == 16);

inline RowArc weighted(const RoutedArc& ends, float weight) { return {ends.target, {ends.source, weight}}; }
inline WideRowArc weighted(const WideArc& ends, float weight) { return {ends, weight}; }
/// @tparam Ends  RoutedArc or WideArc
template <class Ends>
using Weighted = decltype(weighted(Ends{}, 0.0F));

inline std::uint32_t source_of(const RowArc& arc) { return arc.arc.to; }
inline std::uint32_t target_of(const RowArc& arc) { return arc.row; }
inline float weight_of(const RowArc& arc) { return arc.arc.weight; }
inline std::uint64_t source_of(const WideRowArc& arc) { return source_of(arc.ends); }
inline std::uint64_t target_of(const WideRowArc& arc) { return target_of(arc.ends); }
inline float weight_of(const WideRowArc& arc) { return arc.weight; }

/// Says where arcs are stored: arc s -> t in grid row of t, grid column of s.
class ArcRouter {
 public:
  ArcRouter(GridShape shape, const BlockPartition& blocks);
  explicit ArcRouter(const GridLayout& layout) : ArcRouter(layout.shape, layout.blocks) {}
  template <class Arc = RoutedArc>
  std::pair<int, Arc> route(GlobalVertex source, GlobalVertex target) const {
    const End s = end_of(source);
    const End t = end_of(target);
    return {rank_of(s, t), arc<Arc>(s, t)};
  }
  /// Both arcs of an edge: calls send(rank, arc) for u -> v, then for v -> u; for a self-loop once, to the
  /// owner.
  template <class Arc = RoutedArc, class Send>
  void route_both(const Edge& edge, Send&& send) const {
    const End u = end_of(edge.u);
    const End v = end_of(edge.v);
    send(rank_of(u, v), arc<Arc>(u, v));
    if (edge.u == edge.v) return;
    send(rank_of(v, u), arc<Arc>(v, u));
  }

  /// Positions of the first vertex of a block, as an end of arcs that its owner stores.
  template <class Arc = RoutedArc>
  Arc first_of(int block) const {
    const OfBlock& of = blocks_[static_cast<std::size_t>(block)];
    return arc_between<Arc>(static_cast<std::uint64_t>(of.first - of.first_of_col),
                            static_cast<std::uint64_t>(of.row_position));
  }

 private:
  struct OfBlock {
    int row;
    int col;
    std::int64_t first;         // original
    std::int64_t first_of_col;  // original, of its grid column
    std::int64_t row_position;  // of its first original
  };
  /// Where a vertex stands as an end of an arc.
  struct End {
    int row;
    int col;
    std::uint64_t col_position;
    std::uint64_t row_position;
  };

  /// As BlockPartition::block_of, without a division.
  std::size_t block_of(GlobalVertex v) const {
    const auto original = static_cast<std::uint64_t>(raw(v));
    if (original < larger_end_) return by_larger_.quotient_of(original);
    return num_larger_ + by_base_.quotient_of(original - larger_end_);
  }
  End end_of(GlobalVertex v) const {
    const OfBlock& of = blocks_[block_of(v)];
    return {of.row, of.col, static_cast<std::uint64_t>(raw(v) - of.first_of_col),
            static_cast<std::uint64_t>(raw(v) - of.first + of.row_position)};
  }
  int rank_of(const End& source, const End& target) const { return shape_.rank_at(target.row, source.col); }
  template <class Arc>
  static Arc arc(const End& source, const End& target) {
    return arc_between<Arc>(source.col_position, target.row_position);
  }

  GridShape shape_;
  std::vector<OfBlock> blocks_;
  std::uint64_t num_larger_;  // blocks of one vertex more, which come first
  std::uint64_t larger_end_;
  Reciprocal by_larger_;
  Reciprocal by_base_;
};

}  // namespace isobath
