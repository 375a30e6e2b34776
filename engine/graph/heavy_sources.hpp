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

/// The heavy vertices among the sources of a rank's arcs, by position among the originals of its grid column,
/// before there is a layout. In construction only.
///
/// Memory: a bit a source; on several pieces 4 bytes more. One piece has its keys in its numbering.
class HeavySources {
 public:
  /// @param numbering  of the own vertices, by degree class; outlives this
  /// @param originals  by piece, originals in each
  /// @param counts     by piece, heavy vertices of each
  /// @param heavy      own original of every heavy vertex: those of piece 0 by working number, then those of
  ///                   piece 1, and so on
  HeavySources(const Numbering& numbering, std::span<const std::int64_t> originals,
               std::vector<std::uint32_t> counts, std::span<const std::uint32_t> heavy);
  /// Collective over the grid column, the only one: every rank tells the others its heavy vertices.
  static HeavySources told(const Numbering& numbering, const BlockPartition& blocks, const Grid& grid);

  /// All keys are less; 0 where there is no heavy vertex.
  std::uint32_t num_keys() const { return num_keys_; }
  /// Heavy vertices of each piece.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  /// Key of a heavy vertex as HeavyFirst has it; num_keys() for every other source.
  std::uint32_t key_of(std::uint32_t source) const {
    const std::uint32_t* const key =
        test_bit(is_heavy_.span(), source) ? key_.data() + source : &num_keys_;  // no branch
    return *key;
  }

 private:
  std::vector<std::uint32_t> counts_;
  std::uint32_t num_keys_ = 0;
  LargeArray<Word> is_heavy_;           // stays in cache, keys do not
  std::span<const std::uint32_t> key_;  // by source, where it is heavy
  LargeArray<std::uint32_t> key_stored_;
};

}  // namespace isobath
