// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graph/rows.hpp"

namespace isobath {
namespace {

TEST(HeavyFirst, LeadsFromIndexToKeyAndBack) {
  for (const std::vector<std::uint32_t>& offset :
       std::vector<std::vector<std::uint32_t>>{{0, 512},
                                               {0, 512, 1024},
                                               {0, 1024, 1536, 1536, 3072},
                                               {0, 0, 512},
                                               {0, 0, 0, 0},
                                               {0, 0, 64, 64, 128, 192, 192, 256, 320},  // eight pieces
                                               {0, 0, 64, 64, 128, 192, 192, 256, 320, 320},
                                               {0, 64, 64, 128, 192, 192, 256, 320, 384, 448, 448, 512}}) {
    const HeavyFirst order(offset);
    EXPECT_EQ(order.pieces(), offset.size() - 1);
    for (std::uint32_t index = 0; index < offset.back(); ++index) {
      const std::uint32_t key = order.key_of(index);
      ASSERT_EQ(order.index(key), index);
      ASSERT_LE(key, order.max_key());
      const auto piece = static_cast<std::uint32_t>(std::upper_bound(offset.begin(), offset.end(), index) -
                                                    offset.begin() - 1);
      ASSERT_EQ(key, order.key(piece, index - offset[piece]));
    }
  }
}

/// Nearly as many as 32 bits number, in few pieces and in 316: no product and no sum wraps around.
TEST(HeavyFirst, LeadsFromLargeIndicesToKeysAndBack) {
  std::mt19937_64 draw(11);
  for (const std::uint32_t pieces : {2U, 3U, 16U, 316U, 8191U}) {
    constexpr std::uint32_t most_heavy = 7;
    const std::uint32_t most_of_piece = (0xFFFFFFF0 / pieces - most_heavy) / 512 * 512;
    std::vector<std::uint32_t> offset = {0};
    std::vector<std::uint32_t> heavy;
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      offset.push_back(offset.back() + most_of_piece - (piece == 0 ? 512 : 0));
      heavy.push_back(piece % (most_heavy + 1));
    }
    std::vector<std::uint32_t> indices = {0, 0x7FFFFFFF, 0x80000000};
    for (const std::uint32_t first : offset) {
      if (first > 0) indices.push_back(first - 1);
      if (first < offset.back()) indices.push_back(first);
    }
    for (int k = 0; k < 2000; ++k) indices.push_back(static_cast<std::uint32_t>(draw() % offset.back()));
    const HeavyFirst uncounted(offset);
    const HeavyFirst counted(offset, heavy);
    ASSERT_LE(uncounted.max_key(), 0xFFFFFFF0);
    ASSERT_LE(counted.max_key(), 0xFFFFFFF0);
    const std::uint32_t most = std::ranges::max(heavy);
    for (const std::uint32_t index : indices) {
      const auto piece =
          static_cast<std::uint32_t>(std::ranges::upper_bound(offset, index) - offset.begin() - 1);
      const std::uint64_t local = index - offset[piece];
      ASSERT_EQ(uncounted.key_of(index), local * pieces + piece);
      ASSERT_EQ(uncounted.index(uncounted.key_of(index)), index);
      const std::uint64_t behind_gap = local < heavy[piece] ? local : local + most - heavy[piece];
      ASSERT_EQ(counted.key_of(index), behind_gap * pieces + piece);
      ASSERT_EQ(counted.index(counted.key_of(index)), index);
    }
  }
}

/// First in a row are the first of every piece, in the order of the pieces, then the second of every piece,
/// ...
TEST(HeavyFirst, PutsPositionInThePieceBeforeThePiece) {
  const std::vector<std::uint32_t> offset = {0, 512, 1536, 2048};
  const HeavyFirst order(offset);
  std::vector<std::uint32_t> indices;
  for (std::uint32_t local = 0; local < 3; ++local) {
    for (const std::uint32_t first : {0U, 512U, 1536U}) indices.push_back(first + local);
  }
  for (std::size_t i = 1; i < indices.size(); ++i)
    EXPECT_LT(order.key_of(indices[i - 1]), order.key_of(indices[i]));
  EXPECT_LT(order.key_of(1536 + 511), order.key_of(512 + 512));
}

/// However few heavy vertices a piece has: none of its others comes before a heavy one of another piece.
TEST(HeavyFirst, PutsAllHeavyVerticesFirstWhereTheyAreCounted) {
  const std::vector<std::uint32_t> offset = {0, 512, 1536, 1536, 2048};
  const std::vector<std::uint32_t> heavy = {2, 700, 0, 0};
  const HeavyFirst order(offset, heavy);
  const auto is_heavy = [](std::uint32_t index) { return index < 2 || (index >= 512 && index < 512 + 700); };
  std::vector<std::uint32_t> indices(offset.back());
  std::iota(indices.begin(), indices.end(), 0U);
  std::ranges::sort(indices, {}, [&](std::uint32_t index) { return order.key_of(index); });
  EXPECT_TRUE(std::ranges::all_of(indices.begin(), indices.begin() + 702, is_heavy));
  EXPECT_EQ((std::vector<std::uint32_t>(indices.begin(), indices.begin() + 5)),
            (std::vector<std::uint32_t>{0, 512, 1, 513, 514}));
  EXPECT_EQ((std::vector<std::uint32_t>(indices.begin() + 702, indices.begin() + 706)),
            (std::vector<std::uint32_t>{2, 512 + 700, 1536, 3}));
  for (const std::uint32_t index : indices) {
    ASSERT_LE(order.key_of(index), order.max_key());
    ASSERT_EQ(order.index(order.key_of(index)), index);
  }
}

TEST(HeavyFirst, ChangesNothingOnOnePiece) {
  const HeavyFirst everything;
  EXPECT_EQ(everything.pieces(), 1U);
  EXPECT_EQ(everything.key_of(0xFFFFFFF0), 0xFFFFFFF0);
  EXPECT_EQ(everything.index(0xFFFFFFF0), 0xFFFFFFF0);
  EXPECT_EQ(everything.max_key(), 0xFFFFFFFF);
  const std::vector<std::uint32_t> offset = {0, 512};
  const std::vector<std::uint32_t> heavy = {7};
  for (const std::uint32_t index : {0U, 6U, 7U, 511U})
    EXPECT_EQ(HeavyFirst(offset, heavy).key_of(index), index);
}

using HeavyCounts = std::vector<std::uint32_t>;

const std::vector<HeavyCounts> many_heavy_counts = {{0},    {5},          {0, 0, 0},    {3, 0, 0, 0},
                                                    {0, 7}, {2, 3, 1, 3}, {1, 40, 0, 2}};

/// By sorting the keys that HeavyFirst gives them, where it knows how many there are.
TEST(ForEachHeavy, GoesInTheOrderOfRows) {
  for (const HeavyCounts& counts : many_heavy_counts) {
    HeavyCounts offset = {0};
    for (std::size_t piece = 0; piece < counts.size(); ++piece) offset.push_back(offset.back() + 512);
    const HeavyFirst order(offset, counts);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t piece = 0; piece < counts.size(); ++piece) {
      for (std::uint32_t local = 0; local < counts[piece]; ++local) expected.push_back(offset[piece] + local);
    }
    std::ranges::sort(expected, {}, [&](std::uint32_t index) { return order.key_of(index); });
    std::vector<std::uint32_t> found;
    for_each_heavy(counts,
                   [&](std::uint32_t piece, std::uint32_t local) { found.push_back(offset[piece] + local); });
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace isobath
