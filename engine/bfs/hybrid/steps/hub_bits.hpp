// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <span>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "graph/hubs.hpp"

namespace isobath {

/// Bits of `visited` where the words of `hubs` have one, laid one after the other (PEXT over a list of
/// words); portable and vectorised ones do the same. No MPI, one thread.
using CollectHubBits = void (*)(std::span<const HubWord> hubs, const Word* visited, Word* out);
CollectHubBits collect_hub_bits_step(InstructionSet set);
void collect_hub_bits_portable(std::span<const HubWord> hubs, const Word* visited, Word* out);
void collect_hub_bits_avx512(std::span<const HubWord> hubs, const Word* visited, Word* out);

/// The loop of both.
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
