// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <span>

#include "base/bitmap.hpp"
#include "graph/hubs.hpp"

namespace isobath {

/// Bits of `visited` where the words of `hubs` have one, laid one after the other (PEXT over a list of
/// words).
/// @param extract  extract(word, mask): the bits of a word under a mask, moved together at its low end
template <class Extract>
void lay_hub_bits(std::span<const HubWord> hubs, const Word* visited, Word* out, Extract&& extract) {
  Word open = 0;
  int filled = 0;
  for (const HubWord& word : hubs) {
    const Word bits = extract(visited[word.at], word.hubs);
    const int count = std::popcount(word.hubs);
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
