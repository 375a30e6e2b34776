// SPDX-License-Identifier: Apache-2.0
#include "base/placed_bits.hpp"

#include <random>

#include <gtest/gtest.h>

namespace isobath {
namespace {

PlacedBits drawn(std::uint64_t seed, std::size_t words, std::uint64_t share) {
  std::mt19937_64 draw(seed);
  LargeArray<Word> bits(words);
  for (std::size_t i = 0; i < words * word_bits; ++i) {
    if (draw() % 64 < share) set_bit(bits.span(), i);
  }
  return PlacedBits(std::move(bits));
}

TEST(PlacedBits, APlaceIsTheNumberOfMembersBelow) {
  for (const std::uint64_t share : {0U, 1U, 30U, 64U}) {
    const PlacedBits placed = drawn(share, 37, share);
    std::size_t below = 0;
    for (std::size_t i = 0; i < 37 * word_bits; ++i) {
      ASSERT_EQ(placed.members_below(i), below) << i;
      ASSERT_EQ(placed.contains(i), test_bit(placed.bits(), i)) << i;
      placed.prefetch(i);
      below += placed.contains(i) ? 1U : 0U;
    }
    EXPECT_EQ(placed.count(), below);
  }
}

TEST(PlacedBits, NoneIsEmpty) {
  EXPECT_EQ(PlacedBits().count(), 0U);
  EXPECT_TRUE(PlacedBits().bits().empty());
  EXPECT_EQ(PlacedBits(LargeArray<Word>(0)).count(), 0U);
}

}  // namespace
}  // namespace isobath
