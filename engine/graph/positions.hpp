// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "partition/block_partition.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// The position of an original among those of a grid row or column, in two parts: low bits, which stand in an
/// array of 32 bits, and those above them, which stand in an array of bytes.
class PositionSplit {
 public:
  static constexpr int high_bits = 8;

  /// @param low_bits  32, or fewer in tests, whose graphs would not need the byte
  explicit constexpr PositionSplit(int low_bits = 32) : low_bits_(low_bits) {}

  std::uint32_t low(std::uint64_t position) const {
    return static_cast<std::uint32_t>(position & ((std::uint64_t{1} << low_bits_) - 1));
  }
  std::uint8_t high(std::uint64_t position) const { return static_cast<std::uint8_t>(position >> low_bits_); }
  std::uint64_t joined(std::uint32_t low, std::uint8_t high) const {
    return low | std::uint64_t{high} << low_bits_;
  }

 private:
  int low_bits_;
};

/// What positions of originals of a grid row or column are stored in, on all ranks alike.
class PositionForm {
 public:
  /// Numbers of 32 bits: narrow, as on nearly every grid. The codes of leaf and isolated take some, so that
  /// they suffice for 2^31.
  PositionForm() = default;
  /// Wide where a grid row or column has more originals than narrow ones suffice for, or more than 2^low_bits
  /// of them. On one grid column they are narrow.
  /// @param low_bits  see PositionSplit; 0: not in any case
  /// @throws RefusedError when there are more than these positions can tell apart, or a rank owns more than
  ///         it can number
  PositionForm(const BlockPartition& blocks, GridShape shape, int low_bits);

  bool is_wide() const { return is_wide_; }
  PositionSplit split() const { return split_; }

 private:
  bool is_wide_ = false;
  PositionSplit split_;
};

/// @throws RefusedError as PositionForm
void require_positions(const BlockPartition& blocks, GridShape shape, int low_bits);

}  // namespace isobath
