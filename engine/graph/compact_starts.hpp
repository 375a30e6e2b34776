// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"

namespace isobath {

/// Where rows begin that stand one after the other, in half the memory of numbers of 64 bits: each is counted
/// from that of the first row of its block.
class CompactStarts {
 public:
  CompactStarts() = default;
  /// @param length  of every row, and one entry more; the starts are made where the lengths are
  explicit CompactStarts(LargeArray<std::uint32_t> length);

  /// Rows, and the end of the last one.
  std::size_t size() const { return offset_.size(); }
  std::uint64_t operator[](std::size_t row) const { return base_[row >> block_bits_] + offset_[row]; }
  /// Asks memory for what is read of a row.
  void prefetch(std::size_t row) const {
    __builtin_prefetch(base_.data() + (row >> block_bits_));
    __builtin_prefetch(offset_.data() + row);
  }
  /// 64, or fewer where all but the last of so many have 2^32 entries together.
  std::size_t rows_of_block() const { return std::size_t{1} << block_bits_; }

 private:
  std::size_t num_blocks() const { return (size() + rows_of_block() - 1) >> block_bits_; }
  std::span<std::uint32_t> block(std::size_t b);
  bool offsets_suffice();
  void sum_up();

  LargeArray<std::uint64_t> base_;    // by block
  LargeArray<std::uint32_t> offset_;  // by row
  int block_bits_ = 6;
};

}  // namespace isobath
