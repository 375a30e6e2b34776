// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isobath {

/// How long after their time frames went on: counted by microseconds up to a tenth of a second, all
/// above together.
class Lateness {
 public:
  void add(std::int64_t nanoseconds);

  std::int64_t count() const { return count_; }
  /// So many microseconds or fewer were that share of all late; of more than a tenth of a second the most
  /// that was seen. 0 where nothing was counted.
  std::int64_t microseconds_of(double share) const;
  std::int64_t most_microseconds() const { return most_; }

 private:
  static constexpr std::size_t counted_apart = 100'000;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(counted_apart);
  std::int64_t count_ = 0;
  std::int64_t most_ = 0;
};

}  // namespace isobath
