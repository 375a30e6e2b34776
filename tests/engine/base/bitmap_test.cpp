// SPDX-License-Identifier: Apache-2.0
#include "base/bitmap.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(Bitmap, CountsWordsAndPieces) {
  EXPECT_EQ(words_for(0), 0U);
  EXPECT_EQ(words_for(1), 1U);
  EXPECT_EQ(words_for(64), 1U);
  EXPECT_EQ(words_for(65), 2U);
  EXPECT_EQ(padded_bits(0), 0U);
  EXPECT_EQ(padded_bits(1), 512U);
  EXPECT_EQ(padded_bits(512), 512U);
  EXPECT_EQ(padded_bits(513), 1024U);
}

TEST(Bitmap, SetsOneBitAndNoOther) {
  for (std::size_t bit = 0; bit < 200; ++bit) {
    std::vector<Word> words(words_for(200));
    set_bit(words, bit);
    for (std::size_t other = 0; other < 200; ++other) ASSERT_EQ(test_bit(words, other), other == bit) << bit;
  }
}

TEST(Bitmap, SetsTheFirstBitsAndClearsTheOthers) {
  for (std::size_t count = 0; count <= 192; ++count) {
    std::vector<Word> words(3, 0x5555);
    set_first(words, count);
    for (std::size_t bit = 0; bit < 192; ++bit) ASSERT_EQ(test_bit(words, bit), bit < count) << count;
  }
}

TEST(Bitmap, IsMarkedOnce) {
  std::vector<Word> words(2);
  EXPECT_TRUE(mark_bit(words, 70));
  EXPECT_FALSE(mark_bit(words.data(), 70));
  EXPECT_TRUE(mark_bit(words.data(), 71));
  EXPECT_FALSE(mark_bit(words, 71));
  EXPECT_TRUE(test_bit(words.data(), 71));
  EXPECT_FALSE(test_bit(words.data(), 7));
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[1], Word{3} << 6);
}

TEST(Bitmap, IsClaimedOnce) {
  std::vector<Word> words(2);
  EXPECT_TRUE(claim_bit(words, 70));
  EXPECT_FALSE(claim_bit(words, 70));
  EXPECT_TRUE(claim_bit(words, 71));
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[1], Word{3} << 6);
}

TEST(Bitmap, IsClaimedByExactlyOneOfManyThreads) {
  constexpr std::size_t bits = 4096;
  constexpr int claimants = 4;
  std::vector<Word> words(words_for(bits));
  std::vector<std::vector<int>> claims(claimants, std::vector<int>(bits));
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < claimants; ++t) {
    threads.emplace_back([&, t] {
      ++ready;
      while (ready.load() < claimants) std::this_thread::yield();  // begin together
      for (std::size_t i = 0; i < bits; ++i) {
        const std::size_t bit = t % 2 == 0 ? i : bits - 1 - i;
        if (claim_bit(words, bit)) claims[static_cast<std::size_t>(t)][bit] = 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t bit = 0; bit < bits; ++bit) {
    int claimed = 0;
    for (const std::vector<int>& own : claims) claimed += own[bit];
    ASSERT_EQ(claimed, 1) << bit;
    ASSERT_TRUE(test_bit(words, bit)) << bit;
  }
}

}  // namespace
}  // namespace isobath
