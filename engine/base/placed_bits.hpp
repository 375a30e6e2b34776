// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/narrow.hpp"

namespace isobath {

/// A set of indices as bits. Arrays have an entry for each member, and none for others: that of a member
/// stands behind as many as there are members below it. Beside every word stands how many members are before
/// it (a rank directory, Jacobson 1989), so that their number is a count of bits away.
class PlacedBits {
 public:
  PlacedBits() = default;
  /// @throws RefusedError where there are 2^32 members or more; of indices there may be any number
  explicit PlacedBits(LargeArray<Word> bits) : bits_(std::move(bits)), before_(bits_.size()) {
    for (std::size_t w = 0; w < bits_.size(); ++w) {
      before_[w] = static_cast<std::uint32_t>(count_);
      count_ += static_cast<std::size_t>(std::popcount(bits_[w]));
    }
    narrow<std::uint32_t>(count_, "vertices that a rank names");
  }

  std::size_t count() const { return count_; }
  std::span<const Word> bits() const { return bits_.span(); }
  bool contains(std::size_t index) const { return test_bit(bits_.span(), index); }
  /// Of any index.
  std::size_t members_below(std::size_t index) const {
    const Word below = (Word{1} << (index % word_bits)) - 1;
    return before_[index / word_bits] +
           static_cast<std::size_t>(std::popcount(bits_[index / word_bits] & below));
  }
  /// Asks memory for what members_below() reads.
  void prefetch(std::size_t index) const {
    __builtin_prefetch(bits_.data() + index / word_bits);
    __builtin_prefetch(before_.data() + index / word_bits);
  }

 private:
  LargeArray<Word> bits_;
  LargeArray<std::uint32_t> before_;  // by word
  std::size_t count_ = 0;
};

}  // namespace isobath
