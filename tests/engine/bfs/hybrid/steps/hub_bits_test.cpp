// SPDX-License-Identifier: Apache-2.0
// Bits of hubs, collected by all instruction sets, against the obvious loop.
#include "bfs/hybrid/steps/hub_bits.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Bits of hubs laid one after the other, whatever the masks: whole words, none, and all between.
TEST(CollectHubBits, LaysThemOneAfterTheOther) {
  std::mt19937_64 draw(17);
  for (int turn = 0; turn < 200; ++turn) {
    const std::size_t words = 1 + draw() % 40;
    std::vector<Word> is_hub(words);
    std::vector<HubWord> words_of_hubs;
    std::vector<Word> visited(words);
    std::vector<Word> expected(words + 1, 0);
    std::size_t hub = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const Word masks[] = {0, ~Word{0}, draw(), draw() & draw() & draw()};
      is_hub[w] = masks[draw() % 4];
      if (is_hub[w] != 0) words_of_hubs.push_back({static_cast<std::uint32_t>(w), is_hub[w]});
      visited[w] = draw();
      for (std::size_t bit = 0; bit < word_bits; ++bit) {
        if ((is_hub[w] >> bit & 1U) == 0) continue;
        if ((visited[w] >> bit & 1U) != 0) set_bit(expected, hub);
        ++hub;
      }
    }
    expected.resize(words_for(hub));
    for (const InstructionSet set : supported_instruction_sets()) {
      constexpr Word untouched = 0xDEAD;
      std::vector<Word> laid(words_for(hub) + 1, untouched);
      collect_hub_bits_step(set)(words_of_hubs, visited.data(), laid.data());
      EXPECT_EQ(laid.back(), untouched) << "written behind the last word";
      laid.pop_back();
      EXPECT_EQ(laid, expected) << hub << " hubs in " << words << " words";
    }
  }
}

}  // namespace
}  // namespace isobath
