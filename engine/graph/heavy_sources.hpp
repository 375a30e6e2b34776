// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "comm/grid.hpp"
#include "graph/numbering.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Calls visit(piece, local) for every heavy vertex of a grid column, local of its piece, in the order in
/// which HeavyFirst has them in a row: the first of every piece, then the second of those that have one, and
/// so on.
/// @param counts  heavy vertices of each piece
template <class Visit>
void for_each_heavy(std::span<const std::uint32_t> counts, Visit&& visit) {
  std::vector<std::uint32_t> pieces;  // that are not done
  for (std::uint32_t piece = 0; piece < counts.size(); ++piece) {
    if (counts[piece] > 0) pieces.push_back(piece);
  }
  for (std::uint32_t local = 0; !pieces.empty(); ++local) {
    for (const std::uint32_t piece : pieces) visit(piece, local);
    std::erase_if(pieces, [&](std::uint32_t piece) { return counts[piece] == local + 1; });
  }
}

/// The heavy vertices among the sources of a rank's arcs, by position among the originals of its grid column,
/// before there is a layout. In construction only. Their *places* are counted in the order of
/// for_each_heavy().
///
/// Memory: 4 bytes and a bit a source.
class HeavySources {
 public:
  /// @param originals  by piece, originals in each
  /// @param counts     by piece, heavy vertices of each
  /// @param heavy      own original of every heavy vertex: those of piece 0 by working number, then those of
  ///                   piece 1, and so on
  HeavySources(std::span<const std::int64_t> originals, std::vector<std::uint32_t> counts,
               std::span<const std::uint32_t> heavy);
  /// Collective over the grid column, the only one: every rank tells the others its heavy vertices.
  static HeavySources told(const Numbering& numbering, const BlockPartition& blocks, const Grid& grid);

  /// Heavy vertices of all pieces; where there is none, no place may be asked for.
  std::uint32_t count() const { return count_; }
  /// Heavy vertices of each piece.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  /// Place of a heavy vertex; count() for every other source. Without a branch, for arcs come from heavy
  /// vertices without a pattern.
  std::uint32_t place_of(std::uint32_t source) const {
    const Word bit = is_heavy_[source / word_bits] >> (source % word_bits) & 1U;
    return place_[(source + 1) & (0U - static_cast<std::uint32_t>(bit))];
  }

 private:
  std::vector<std::uint32_t> counts_;
  std::uint32_t count_ = 0;
  LargeArray<Word> is_heavy_;        // stays in cache, places do not
  LargeArray<std::uint32_t> place_;  // count(); behind it by source, where it is heavy
};

}  // namespace isobath
