// SPDX-License-Identifier: Apache-2.0
#include "base/sparse_members.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

LargeArray<Word> drawn(std::uint64_t seed, std::size_t words, std::uint64_t share) {
  std::mt19937_64 draw(seed);
  LargeArray<Word> bits(words);
  for (std::size_t i = 0; i < words * word_bits; ++i) {
    if (draw() % 64 < share) set_bit(bits.span(), i);
  }
  return bits;
}

/// What it says of every index, and of the end, against bits. Ends of blocks and of bits are not the same.
void expect_members(const SparseMembers& members, const LargeArray<Word>& bits) {
  std::size_t below = 0;
  const std::size_t count = count_bits(bits.span());
  ASSERT_EQ(members.count(), count);
  EXPECT_EQ(members.words(), bits.size());
  for (std::size_t i = 0; i < bits.size() * word_bits; ++i) {
    const bool is_member = test_bit(bits.span(), i);
    ASSERT_EQ(members.members_below(i), below) << i;
    ASSERT_EQ(members.place_of(i), is_member ? below : count) << i;
    members.prefetch_block(i);
    members.prefetch_members(i);
    below += is_member ? 1U : 0U;
  }
  EXPECT_EQ(members.members_below(bits.size() * word_bits), count);
}

TEST(SparseMembers, APlaceIsTheNumberOfMembersBelow) {
  for (const std::size_t words : {0U, 1U, 3U, 4U, 5U, 37U, 40U}) {
    for (const std::uint64_t share : {0U, 1U, 30U, 64U}) {
      const LargeArray<Word> bits = drawn(words + share, words, share);
      expect_members(SparseMembers(bits.span()), bits);
      std::vector<std::uint32_t> listed;
      for_each_bit(bits.span(), [&](std::size_t i) { listed.push_back(static_cast<std::uint32_t>(i)); });
      expect_members(SparseMembers(words * word_bits, listed), bits);
    }
  }
}

TEST(SparseMembers, GiveTheirBitsBack) {
  const LargeArray<Word> bits = drawn(5, 23, 9);
  const SparseMembers members(bits.span());
  for (std::size_t first = 0; first <= bits.size(); ++first) {
    for (std::size_t count = 0; first + count <= bits.size(); ++count) {
      const LargeArray<Word> found = members.bits(first, count);
      ASSERT_EQ(found.size(), count);
      for (std::size_t w = 0; w < count; ++w) ASSERT_EQ(found[w], bits[first + w]) << first << ", " << w;
    }
  }
}

TEST(SparseMembers, NoneIsEmpty) {
  EXPECT_EQ(SparseMembers().count(), 0U);
  EXPECT_EQ(SparseMembers().members_below(0), 0U);
  EXPECT_EQ(SparseMembers().words(), 0U);
}

}  // namespace
}  // namespace isobath
