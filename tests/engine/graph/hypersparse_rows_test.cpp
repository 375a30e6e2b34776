// SPDX-License-Identifier: Apache-2.0
// Rows that exist say what all rows say.
#include "graph/hypersparse_rows.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/hypersparse.hpp"

namespace isobath {
namespace {

/// `share` of 64 rows have one to five neighbours.
Rows drawn_rows(std::mt19937_64& draw, std::size_t num_rows, std::uint64_t share) {
  std::vector<std::uint32_t> neighbours;
  Rows rows;
  rows.start = LargeArray<std::uint64_t>(num_rows + 1);
  for (std::size_t row = 0; row < num_rows; ++row) {
    const std::uint64_t length = draw() % 64 < share ? 1 + draw() % 5 : 0;
    for (std::uint64_t k = 0; k < length; ++k) neighbours.push_back(static_cast<std::uint32_t>(draw()));
    rows.start[row + 1] = neighbours.size();
  }
  rows.neighbour = LargeArray<std::uint32_t>(neighbours.size());
  std::ranges::copy(neighbours, rows.neighbour.begin());
  return rows;
}

TEST(HypersparseRows, HaveWhatAllRowsHave) {
  for (const std::uint64_t share : {0U, 1U, 9U, 64U}) {
    std::mt19937_64 draw(share);
    std::mt19937_64 again = draw;
    constexpr std::size_t num_rows = 11 * word_bits;
    const Rows all = drawn_rows(draw, num_rows, share);
    LargeArray<Word> with_arc(num_rows / word_bits);
    for (std::size_t row = 0; row < num_rows; ++row) {
      if (all.length(row) > 0) set_bit(with_arc.span(), row);
    }
    const HypersparseRows existing(drawn_rows(again, num_rows, share), PlacedBits(std::move(with_arc)));
    EXPECT_EQ(existing.num_arcs(), all.num_arcs());
    for (std::size_t row = 0; row < num_rows; ++row) {
      ASSERT_EQ(existing.length(row), all.length(row)) << row;
      ASSERT_TRUE(std::ranges::equal(existing.of(row), all.of(row))) << row;
      ASSERT_EQ(existing.first_arc(row), all.first_arc(row)) << row;
      ASSERT_EQ(existing.existing().contains(row), all.length(row) > 0) << row;
      existing.prefetch_place(row);
      existing.prefetch_start(row);
      existing.prefetch_neighbours(row);
    }
  }
}

/// The same from starts of some rows alone: of those that have a neighbour, and of more.
TEST(HypersparseRows, AreTheSameFromStartsOfSome) {
  constexpr std::size_t num_rows = 9 * word_bits;
  for (const std::uint64_t share : {0U, 9U, 64U}) {
    std::mt19937_64 draw(share);
    const Rows all = drawn_rows(draw, num_rows, share);
    for (const std::uint64_t more : {0U, 3U, 64U}) {
      LargeArray<Word> bits(num_rows / word_bits);
      for (std::size_t row = 0; row < num_rows; ++row) {
        if (all.length(row) > 0 || draw() % 64 < more) set_bit(bits.span(), row);
      }
      PlacedBits candidates(std::move(bits));
      LargeArray<std::uint32_t> length(candidates.count() + 1);
      std::size_t place = 0;
      for_each_bit(candidates.bits(), [&](std::size_t row) { length[place++] = all.length(row); });
      CompactRows some{CompactStarts(std::move(length)), LargeArray<std::uint32_t>(all.num_arcs())};
      std::ranges::copy(all.neighbour, some.neighbour.begin());
      const HypersparseRows existing = more == 0
                                           ? HypersparseRows(std::move(candidates), std::move(some))
                                           : HypersparseRows::with_neighbour(candidates, std::move(some));
      for (std::size_t row = 0; row < num_rows; ++row) {
        ASSERT_TRUE(std::ranges::equal(existing.of(row), all.of(row))) << row;
        ASSERT_EQ(existing.existing().contains(row), all.length(row) > 0) << row;
      }
    }
  }
}

/// Fewer than half, exactly.
TEST(Hypersparse, IsAskedOfCounts) {
  EXPECT_TRUE(is_hypersparse(Hypersparse::by_count, 49, 99));
  EXPECT_TRUE(is_hypersparse(Hypersparse::by_count, 49, 100));
  EXPECT_FALSE(is_hypersparse(Hypersparse::by_count, 50, 100));
  EXPECT_FALSE(is_hypersparse(Hypersparse::by_count, 0, 0));
  EXPECT_FALSE(is_hypersparse(Hypersparse::never, 0, 100));
  EXPECT_TRUE(is_hypersparse(Hypersparse::always, 100, 100));
}

/// Fewer than a quarter; and no more than say so need be counted.
TEST(Hypersparse, CodesAreFewByCounts) {
  for (std::size_t all = 0; all < 20; ++all) {
    std::size_t enough = 0;
    while (are_few_codes(Hypersparse::by_count, enough, all)) ++enough;
    EXPECT_EQ(enough_codes(Hypersparse::by_count, all), enough) << all;
    EXPECT_GE(4 * enough, all);
    EXPECT_LT(4 * enough, all + 4);
  }
  EXPECT_FALSE(are_few_codes(Hypersparse::never, 0, 100));
  EXPECT_TRUE(are_few_codes(Hypersparse::always, 100, 100));
}

}  // namespace
}  // namespace isobath
