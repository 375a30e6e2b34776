// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace isobath {

/// How much an OwnerExchange moves at once; equal on every rank.
struct ExchangeLimits {
  /// Most questions or deliveries of one call: an even number, 4 or more.
  std::int64_t chunk;
  /// Most of them that reach one rank together, and one more of each rank. Where all ranks address one, a
  /// chunk of each may be far more than that: then it travels in parts.
  std::int64_t arriving;

  /// A chunk is 2^18, and where ranks are many 16 for each of them, up to 2^20: every round tells every rank
  /// a count, which should not be more than what follows it.
  static constexpr ExchangeLimits of(int ranks) {
    constexpr std::int64_t smallest = std::int64_t{1} << 18;
    constexpr std::int64_t largest = std::int64_t{1} << 20;
    return {.chunk = std::clamp(16 * std::int64_t{ranks}, smallest, largest),
            .arriving = std::int64_t{1} << 22};
  }
};

}  // namespace isobath
