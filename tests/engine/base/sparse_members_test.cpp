// SPDX-License-Identifier: Apache-2.0
#include "base/sparse_members.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

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
      std::vector<std::size_t> listed;
      for_each_bit(bits.span(), [&](std::size_t i) { listed.push_back(i); });
      expect_members(SparseMembers(words * word_bits, listed), bits);
    }
  }
}

/// The bits of some blocks after the other.
SparseMembers built(const LargeArray<Word>& bits, std::size_t words_at_a_time) {
  SparseMembers::Builder builder(bits.size());
  for (std::size_t at = 0; at < bits.size(); at += words_at_a_time) {
    builder.append(bits.span().subspan(at, std::min(words_at_a_time, bits.size() - at)));
    const std::size_t so_far = std::min(at + words_at_a_time, bits.size());
    EXPECT_EQ(builder.count(), count_bits(bits.span().first(so_far)));
  }
  return builder.take();
}

TEST(SparseMembers, AreTheSameFromBitsOfAllAndOfSomeAfterTheOther) {
  constexpr std::size_t block_words = SparseMembers::block_size / word_bits;
  for (const std::size_t words : {0U, 1U, 4U, 5U, 37U, 40U}) {
    for (const std::uint64_t share : {0U, 1U, 30U, 64U}) {
      const LargeArray<Word> bits = drawn(words + share, words, share);
      for (const std::size_t blocks : {1U, 2U, 3U, 10U, 99U}) {
        expect_members(built(bits, blocks * block_words), bits);
      }
    }
  }
}

/// Members on both sides of 2^31 and 2^32, some indices after the other, so that few bits are there at a
/// time.
TEST(SparseMembers, MayHaveIndicesOfMoreThan32Bits) {
  constexpr std::size_t at_a_time = std::size_t{1} << 28;
  constexpr std::size_t all = (std::size_t{1} << 32) + at_a_time;
  const std::vector<std::size_t> listed = {3,
                                           (std::size_t{1} << 31) - 1,
                                           std::size_t{1} << 31,
                                           (std::size_t{1} << 32) - 1,
                                           std::size_t{1} << 32,
                                           (std::size_t{1} << 32) + 257,
                                           all - 1};
  SparseMembers::Builder builder(words_for(all));
  for (std::size_t first = 0; first < all; first += at_a_time) {
    LargeArray<Word> bits(words_for(at_a_time));
    for (const std::size_t member : listed) {
      if (member / at_a_time == first / at_a_time) set_bit(bits.span(), member - first);
    }
    builder.append(bits.span());
  }
  const SparseMembers members = builder.take();
  ASSERT_EQ(members.count(), listed.size());
  EXPECT_EQ(members.place_of(257), listed.size());  // nor are these, of the same low bits
  EXPECT_EQ(members.place_of(0), listed.size());
  for (std::size_t place = 0; place < listed.size(); ++place) {
    EXPECT_EQ(members.place_of(listed[place]), place);
    EXPECT_EQ(members.members_below(listed[place]), place);
    EXPECT_EQ(members.members_below(listed[place] + 1), place + 1);
    EXPECT_EQ(members.place_of(listed[place] ^ 2), listed.size());  // none of them
    const std::size_t word = listed[place] / word_bits;
    EXPECT_TRUE(test_bit(members.bits(word, 1).span(), listed[place] % word_bits));
  }
}

TEST(SparseMembers, AreBuiltFromWholeBlocks) {
  const LargeArray<Word> bits = drawn(7, 10, 9);
  SparseMembers::Builder builder(bits.size());
  builder.append(bits.span().first(4));
  EXPECT_THROW(builder.append(bits.span().subspan(4, 3)), InternalError);  // part of a block
  EXPECT_THROW(builder.append(bits.span().first(8)), InternalError);       // more than there are
  EXPECT_THROW(builder.take(), InternalError);                             // not all
  builder.append(bits.span().subspan(4, 6));
  expect_members(builder.take(), bits);
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
