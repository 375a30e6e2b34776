// SPDX-License-Identifier: Apache-2.0
// Compact starts against sums of 64 bits.
#include "graph/compact_starts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"

namespace isobath {
namespace {

constexpr std::uint64_t longest = std::numeric_limits<std::uint32_t>::max();

/// @param behind  what stands behind the lengths: nobody reads it
CompactStarts made_of(const std::vector<std::uint32_t>& lengths, std::uint32_t behind = 0) {
  LargeArray<std::uint32_t> room(lengths.size() + 1);
  std::ranges::copy(lengths, room.begin());
  room[lengths.size()] = behind;
  return CompactStarts(std::move(room));
}

void expect_sums(const CompactStarts& found, const std::vector<std::uint32_t>& lengths) {
  ASSERT_EQ(found.size(), lengths.size() + 1);
  std::uint64_t start = 0;
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    ASSERT_EQ(found[row], start) << row;
    found.prefetch(row);
    start += lengths[row];
    ASSERT_EQ(found[row + 1] - found[row], lengths[row]) << row;
  }
  EXPECT_EQ(found[lengths.size()], start);
}

/// Draws from zero to `most`, one in four of them `most` itself.
std::vector<std::uint32_t> drawn(std::size_t rows, std::uint64_t most) {
  std::mt19937_64 draw(rows + most);
  std::vector<std::uint32_t> lengths(rows);
  for (std::uint32_t& length : lengths) {
    length = static_cast<std::uint32_t>(draw() % 4 == 0 ? most : draw() % (most + 1));
  }
  return lengths;
}

TEST(CompactStarts, AreThereWithoutRows) {
  EXPECT_EQ(CompactStarts().size(), 0U);
  EXPECT_EQ(CompactStarts(LargeArray<std::uint32_t>()).size(), 0U);
  expect_sums(made_of({}, 7), {});
}

/// Around blocks, with few and many threads, with lengths from none to as long as a row can be.
TEST(CompactStarts, AreSumsOfLengths) {
  const int threads = max_threads();
  for (const int used : {1, 3}) {
    set_num_threads(used);
    for (const std::size_t rows : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
      for (const std::uint64_t most :
           {std::uint64_t{0}, std::uint64_t{5}, longest / 64, longest / 3, longest}) {
        const std::vector<std::uint32_t> lengths = drawn(rows, most);
        ASSERT_NO_FATAL_FAILURE(expect_sums(made_of(lengths, 12345), lengths)) << rows << ", " << most;
      }
    }
  }
  set_num_threads(threads);
}

/// A block has 64 rows unless its last one began too far from its first: where all offsets suffice by one,
/// and where one is too large by one, in any block.
TEST(CompactStarts, HaveShorterBlocksWhereOffsetsDoNotSuffice) {
  EXPECT_EQ(made_of(drawn(1000, 5)).rows_of_block(), 64U);
  for (const std::size_t at : {0U, 62U, 64U, 200U}) {
    std::vector<std::uint32_t> lengths(300, 0);
    lengths[at] = longest;
    EXPECT_EQ(made_of(lengths).rows_of_block(), 64U) << at;
    lengths[at + 1] = 1;
    const bool is_last = (at + 1) % 64 == 63;  // of its block: no offset counts it
    const CompactStarts found = made_of(lengths);
    EXPECT_EQ(found.rows_of_block() == 64, is_last) << at;
    ASSERT_NO_FATAL_FAILURE(expect_sums(found, lengths)) << at;
  }
}

/// All rows as long as a row can be.
TEST(CompactStarts, HaveBlocksOfTwoRowsAtTheWorst) {
  const std::vector<std::uint32_t> lengths(200, static_cast<std::uint32_t>(longest));
  const CompactStarts found = made_of(lengths);
  EXPECT_EQ(found.rows_of_block(), 2U);
  expect_sums(found, lengths);
}

}  // namespace
}  // namespace isobath
