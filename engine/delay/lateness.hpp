// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace isobath {

/// How long after their time frames went on: counted by microseconds up to a millisecond, all above together.
class Lateness {
 public:
  void add(std::int64_t nanoseconds);

  std::int64_t count() const { return count_; }
  /// So many microseconds or fewer were that share of all late; of more than a millisecond the most that was
  /// seen. 0 where nothing was counted.
  std::int64_t microseconds_of(double share) const;
  std::int64_t most_microseconds() const { return most_; }

 private:
  static constexpr std::size_t counted_apart = 1000;
  std::array<std::int64_t, counted_apart> counts_ = {};
  std::int64_t count_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace isobath
