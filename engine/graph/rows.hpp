// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/reciprocal.hpp"
#include "graph/compact_starts.hpp"

namespace isobath {

/// One end of an edge as the other sees it: the neighbour and the weight side by side, because who reads one
/// reads the other.
template <class Vertex>
struct WeightedArcTo {
  Vertex to;
  float weight;  // never below zero
  friend bool operator==(const WeightedArcTo&, const WeightedArcTo&) = default;
};
using WeightedArc = WeightedArcTo<std::uint32_t>;

/// An arc, and the row it goes to.
struct RowArc {
  std::uint32_t row;
  WeightedArc arc;
};

inline void prefetch_entry(const LargeArray<std::uint64_t>& start, std::size_t row) {
  __builtin_prefetch(start.data() + row);
}
inline void prefetch_entry(const CompactStarts& start, std::size_t row) { start.prefetch(row); }

/// Compressed rows: what every row has of each of its neighbours.
template <class Neighbour, class Starts = LargeArray<std::uint64_t>>
struct RowsOf {
  Starts start;                     // rows + 1
  LargeArray<Neighbour> neighbour;  // arcs

  std::size_t num_rows() const { return start.size() == 0 ? 0 : start.size() - 1; }
  std::uint64_t num_arcs() const { return neighbour.size(); }
  /// Of all rows, one after the other.
  std::span<const Neighbour> neighbours() const { return neighbour.span(); }
  std::uint32_t length(std::size_t row) const {
    return static_cast<std::uint32_t>(start[row + 1] - start[row]);
  }
  std::span<const Neighbour> of(std::size_t row) const {
    return {neighbour.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
  /// Where a row stands in arrays that have an entry for each row of this form: of hypersparse rows
  /// (graph/hypersparse_rows.hpp) only those that exist have one.
  std::size_t entry_of(std::size_t row) const { return row; }
  /// Where its neighbours begin among those of all rows.
  std::uint64_t first_arc(std::size_t row) const { return start[row]; }

  // Asking memory for a row that is read soon, in three steps: where its start stands, its start, and its
  // neighbours. There is something to the first where rows are hypersparse.
  void prefetch_place(std::size_t /*row*/) const {}
  void prefetch_start(std::size_t row) const { prefetch_entry(start, row); }
  void prefetch_neighbours(std::size_t row) const { __builtin_prefetch(neighbour.data() + start[row]); }

  std::span<Neighbour> mutable_of(std::size_t row) {
    return {neighbour.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
};

/// The neighbours of every row, heavy ones first; distinct unless duplicates are kept.
using Rows = RowsOf<std::uint32_t>;
/// The same where starts are what takes the memory: of hypersparse rows (graph/hypersparse_rows.hpp).
using CompactRows = RowsOf<std::uint32_t, CompactStarts>;
using WeightedRows = RowsOf<WeightedArc>;
/// The neighbours of every row by ascending weight, equal weights by index; distinct, each with the least
/// weight of its copies. So a reader stops at the first arc too heavy to help.
using WeightSortedRows = WeightedRows;
/// The same of hypersparse rows: of those that are present (graph/present_indices.hpp).
using CompactWeightedRows = RowsOf<WeightedArc, CompactStarts>;

/// How neighbours are ordered inside a row: heavy ones first. Over several pieces, position in the piece
/// counts before the piece, because every piece begins with its heavy vertices. Where it is known how many
/// heavy vertices each piece has, the others of all pieces come behind the heavy ones of all; else those of a
/// piece with few stand among them. A key sorts like that; on one piece it is the index itself.
class HeavyFirst {
 public:
  HeavyFirst() = default;
  /// @param offset  first index of each piece, and the end; at least two entries
  /// @param heavy   heavy vertices of each piece, or nothing where that is not known
  explicit HeavyFirst(std::span<const std::uint32_t> offset, std::span<const std::uint32_t> heavy = {})
      : offset_(offset), heavy_(heavy), by_pieces_(pieces()) {
    for (const std::uint32_t of_piece : heavy) most_heavy_ = std::max(most_heavy_, of_piece);
  }

  std::uint32_t pieces() const {
    return offset_.empty() ? 1 : static_cast<std::uint32_t>(offset_.size() - 1);
  }
  std::uint32_t key(std::uint32_t piece, std::uint32_t local) const {
    const bool is_heavy = heavy_.empty() || local < heavy_[piece];
    return (is_heavy ? local : local + gap(piece)) * pieces() + piece;
  }
  std::uint32_t key_of(std::uint32_t index) const {
    if (pieces() == 1) return index;
    const std::uint32_t piece = piece_of(index);
    return key(piece, index - offset_[piece]);
  }
  std::uint32_t index(std::uint32_t key) const {
    if (pieces() == 1) return key;
    const std::uint32_t position = by_pieces_.quotient_of(key);
    const std::uint32_t piece = key - position * pieces();
    return offset_[piece] + (position < most_heavy_ ? position : position - gap(piece));
  }
  /// No key is larger.
  std::uint64_t max_key() const {
    if (offset_.empty()) return 0xFFFFFFFF;
    std::uint64_t largest = 0;
    for (std::uint32_t piece = 0; piece < pieces(); ++piece) {
      largest = std::max(largest, std::uint64_t{offset_[piece + 1]} - offset_[piece] + gap(piece));
    }
    return largest * pieces();
  }

 private:
  /// Which piece an index is of. Without a branch, for indices come without a pattern.
  std::uint32_t piece_of(std::uint32_t index) const {
    std::uint32_t piece = 0;
    for (std::uint32_t left = pieces(); left > 1;) {
      const std::uint32_t half = left / 2;
      piece += half * static_cast<std::uint32_t>(index >= offset_[piece + half]);
      left -= half;
    }
    return piece;
  }
  /// Positions that nobody has, behind the heavy vertices of a piece.
  std::uint32_t gap(std::uint32_t piece) const { return heavy_.empty() ? 0 : most_heavy_ - heavy_[piece]; }

  std::span<const std::uint32_t> offset_;
  std::span<const std::uint32_t> heavy_;
  std::uint32_t most_heavy_ = 0;  // of one piece
  NarrowReciprocal by_pieces_{1};
};

/// Calls visit(piece, local) for every heavy vertex of a grid column, local of its piece, in the order in
/// which HeavyFirst has them in a row: the first of every piece, then the second of those that have one, and
/// so on.
/// @param heavy  vertices of each piece
template <class Visit>
void for_each_heavy(std::span<const std::uint32_t> heavy, Visit&& visit) {
  std::vector<std::uint32_t> pieces;  // that are not done
  for (std::uint32_t piece = 0; piece < heavy.size(); ++piece) {
    if (heavy[piece] > 0) pieces.push_back(piece);
  }
  for (std::uint32_t local = 0; !pieces.empty(); ++local) {
    for (const std::uint32_t piece : pieces) visit(piece, local);
    std::erase_if(pieces, [&](std::uint32_t piece) { return heavy[piece] == local + 1; });
  }
}

}  // namespace isobath
