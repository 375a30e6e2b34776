// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/threads.hpp"

namespace isobath {

/// Targets 0 .. n-1 cut into ranges of a power of two, so that arcs are dealt by range first, and what is
/// then done with one range is near in cache: 256 of them at most, or 16 for each of more shares up to 2,048
/// in all; but more where a target in its range would have more than 16 bits.
class TargetRanges {
 public:
  static constexpr std::int64_t in_second_cache = 2048;  // whose open lines, of 128 bytes, are 256 KiB

  /// @param shares       into which ranges are cut at a time: threads, for each part of the targets that is
  ///                     gone through by itself
  explicit TargetRanges(std::int64_t num_targets, std::int64_t shares = max_threads())
      : num_targets_(num_targets), shift_(shift_for(num_targets, shares)) {}

  std::size_t count() const {
    return num_targets_ == 0 ? 0 : static_cast<std::size_t>(((num_targets_ - 1) >> shift_) + 1);
  }
  std::size_t of(std::int64_t target) const { return static_cast<std::size_t>(target >> shift_); }
  /// Counted from the first of its range.
  std::uint16_t in_range(std::uint64_t target) const {
    return static_cast<std::uint16_t>(target & ((1U << shift_) - 1));
  }
  std::size_t first(std::size_t range) const { return range << shift_; }
  std::size_t end(std::size_t range) const {
    return std::min((range + 1) << shift_, static_cast<std::size_t>(num_targets_));
  }

 private:
  static constexpr int shift_for(std::int64_t num_targets, std::int64_t shares) {
    constexpr std::int64_t in_first_cache = 256;  // whose open lines, of 128 bytes, are 32 KiB
    // Ranges differ by heavy vertices, so a share needs many.
    const std::int64_t max_ranges = std::clamp(16 * shares, in_first_cache, in_second_cache);
    constexpr int max_shift = 16;
    int shift = 0;
    while (shift < max_shift && num_targets > max_ranges << shift) ++shift;
    return shift;
  }

  std::int64_t num_targets_;
  int shift_;  // a range has 2^shift_ targets, the last one perhaps fewer
};

}  // namespace isobath
