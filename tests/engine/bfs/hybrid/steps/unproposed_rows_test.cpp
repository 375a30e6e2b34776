// SPDX-License-Identifier: Apache-2.0
// Rows that are not proposed, picked by all instruction sets, against the obvious loop.
#include "bfs/hybrid/steps/unproposed_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/arena.hpp"

namespace isobath {
namespace {

TEST(UnproposedRows, ArePickedInTheirOrder) {
  std::mt19937_64 draw(18);
  for (int turn = 0; turn < 200; ++turn) {
    const std::size_t words = 1 + draw() % 40;
    std::vector<Word> proposed(words);
    for (Word& word : proposed) {
      const Word drawn[] = {0, ~Word{0}, draw(), draw() & draw() & draw()};
      word = drawn[draw() % 4];
    }
    std::vector<std::uint32_t> rows(draw() % 100);
    for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(draw() % (words * word_bits));
    std::vector<std::uint32_t> expected;
    std::ranges::copy_if(rows, std::back_inserter(expected),
                         [&](std::uint32_t row) { return !test_bit(proposed, row); });
    for (const InstructionSet set : supported_instruction_sets()) {
      constexpr std::uint32_t untouched = 0xDEAD;
      std::vector<std::uint32_t> picked(rows.size() + unproposed_spill + 1, untouched);
      const std::size_t count = unproposed_rows_step(set)(rows, proposed.data(), picked.data());
      EXPECT_EQ(picked.back(), untouched) << "written behind the room for a vector";
      picked.resize(count);
      EXPECT_EQ(picked, expected) << rows.size() << " rows in " << words << " words";
    }
  }
}

/// Row numbers on both sides of 2^31 and up to the largest: no place is taken for a negative one. Of the bits
/// those that are looked at are in memory.
TEST(UnproposedRows, MayHaveAnyNumberOf32Bits) {
  std::mt19937_64 draw(19);
  LargeArray<Word> proposed((std::size_t{1} << 32) / word_bits);
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> expected;
  for (const std::uint32_t first : {0U, 0x7FFFFF00U, 0xFFFFFE00U}) {
    for (std::uint32_t k = 0; k < 512; ++k) {
      rows.push_back(first + k);
      if (draw() % 3 == 0) {
        set_bit(proposed.span(), rows.back());
      } else {
        expected.push_back(rows.back());
      }
    }
  }
  for (const InstructionSet set : supported_instruction_sets()) {
    std::vector<std::uint32_t> picked(rows.size() + unproposed_spill);
    picked.resize(unproposed_rows_step(set)(rows, proposed.data(), picked.data()));
    EXPECT_EQ(picked, expected) << name_of(set);
  }
}

}  // namespace
}  // namespace isobath
