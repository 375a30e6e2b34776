// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>

#include "base/bitmap.hpp"

namespace isobath {

/// Bits of `visited` where `hubs` has one, laid one after the other.
/// @param extract  extract(word, mask): the bits of a word under a mask, moved together at its low end
template <class Extract>
void lay_hub_bits(const Word* hubs, const Word* visited, std::size_t words, Word* out, Extract&& extract) {
  Word open = 0;
  int filled = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const Word mask = hubs[w];
    if (mask == 0) continue;
    const Word bits = extract(visited[w], mask);
    const int count = std::popcount(mask);
    open |= bits << filled;
    if (filled + count < static_cast<int>(word_bits)) {
      filled += count;
      continue;
    }
    *out++ = open;
    const int taken = static_cast<int>(word_bits) - filled;
    open = taken == static_cast<int>(word_bits) ? 0 : bits >> taken;
    filled = count - taken;
  }
  if (filled > 0) *out = open;
}

}  // namespace isobath
