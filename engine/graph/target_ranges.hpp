// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace isobath {

/// Targets 0 .. n-1 cut into ranges so narrow that whatever is done with one range stays in cache: at most
/// 2,049 of them, as long as a target in its range has 16 bits.
class TargetRanges {
 public:
  /// @param num_targets  at most 2^32
  explicit TargetRanges(std::int64_t num_targets)
      : num_targets_(num_targets), shift_(shift_for(num_targets)) {}

  std::size_t count() const {
    return num_targets_ == 0 ? 0 : static_cast<std::size_t>(((num_targets_ - 1) >> shift_) + 1);
  }
  std::size_t of(std::int64_t target) const { return static_cast<std::size_t>(target >> shift_); }
  /// Counted from the first of its range.
  std::uint16_t in_range(std::uint32_t target) const {
    return static_cast<std::uint16_t>(target & ((1U << shift_) - 1));
  }
  std::uint32_t first(std::size_t range) const { return static_cast<std::uint32_t>(range << shift_); }
  std::uint32_t end(std::size_t range) const {
    const std::int64_t end = static_cast<std::int64_t>(range + 1) << shift_;
    return static_cast<std::uint32_t>(end < num_targets_ ? end : num_targets_);
  }

 private:
  static constexpr int shift_for(std::int64_t num_targets) {
    constexpr std::int64_t max_ranges = 2048;  // their open lines fit the second-level cache
    constexpr int max_shift = 16;
    int shift = 0;
    while (shift < max_shift && (num_targets >> shift) > max_ranges) ++shift;
    return shift;
  }

  std::int64_t num_targets_;
  int shift_;  // a range has 2^shift_ targets, the last one perhaps fewer
};

}  // namespace isobath
