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

  /// All keys are less; 0 where there is no heavy vertex, and then no key may be asked for.
  std::uint32_t num_keys() const { return num_keys_; }
  /// Heavy vertices of each piece.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  /// Key of a heavy vertex as HeavyFirst has it; num_keys() for every other source. Without a branch, for
  /// arcs come from heavy vertices without a pattern.
  std::uint32_t key_of(std::uint32_t source) const {
    const Word bit = is_heavy_[source / word_bits] >> (source % word_bits) & 1U;
    return key_[(source + 1) & (0U - static_cast<std::uint32_t>(bit))];
  }

 private:
  std::vector<std::uint32_t> counts_;
  std::uint32_t num_keys_ = 0;
  LargeArray<Word> is_heavy_;      // stays in cache, keys do not
  LargeArray<std::uint32_t> key_;  // num_keys(); behind it by source, where it is heavy
};

}  // namespace isobath
