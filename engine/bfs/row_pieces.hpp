// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isobath {

/// Which piece of the rows a row belongs to: the grid column of its owner. Pieces are of nearly equal length,
/// so that a row's place in terms of the longest is its piece or one shortly before it.
class RowPieces {
 public:
  /// @param offset  first row of each piece, and the end (GridLayout::row_offset)
  explicit RowPieces(std::span<const std::uint32_t> offset) : offset_(offset.begin(), offset.end()) {
    std::uint32_t longest = 1;
    for (std::size_t k = 0; k + 1 < offset_.size(); ++k)
      longest = std::max(longest, offset_[k + 1] - offset_[k]);
    per_row_ = (std::uint64_t{1} << 32) / longest;
  }

  std::size_t of(std::uint32_t row) const {
    auto piece = static_cast<std::size_t>(row * per_row_ >> 32);
    while (row >= offset_[piece + 1]) ++piece;
    return piece;
  }
  /// Position in its piece: the target as its owner knows it.
  std::uint32_t position(std::uint32_t row, std::size_t piece) const { return row - offset_[piece]; }

 private:
  std::vector<std::uint32_t> offset_;
  std::uint64_t per_row_;  // pieces, times 2^32
};

}  // namespace isobath
