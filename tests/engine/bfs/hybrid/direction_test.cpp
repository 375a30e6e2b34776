// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/direction.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(DirectionPolicy, IsWideAboveTheSearchedVerticesOverBeta) {
  const DirectionPolicy policy{14, 24, 2400, 1400};
  const std::int64_t most_unvisited = 2000;
  EXPECT_FALSE(policy.is_wide(0, most_unvisited));
  EXPECT_FALSE(policy.is_wide(100, most_unvisited));
  EXPECT_TRUE(policy.is_wide(101, most_unvisited));
}

TEST(DirectionPolicy, IsWideWhereABottomUpLevelHasLittleLeftToTouch) {
  const DirectionPolicy policy{14, 24, 2400, 1400};
  // 2400 / 16 for the bits, 4 * 12 for the unvisited: 198 is 24 times 8.25.
  EXPECT_FALSE(policy.is_wide(8, 12));
  EXPECT_TRUE(policy.is_wide(9, 12));
  EXPECT_FALSE(policy.is_wide(6, 0));
  EXPECT_TRUE(policy.is_wide(7, 0));
}

TEST(DirectionPolicy, StaysTopDownInASmallComponent) {
  const DirectionPolicy policy{14, 24, 2400, 1400};
  EXPECT_FALSE(policy.is_wide(1, 2399));
  EXPECT_FALSE(policy.is_wide(5, 2390));
}

TEST(DirectionPolicy, TurnsBottomUpAboveAllArcsOverAlpha) {
  const DirectionPolicy policy{14, 24, 2400, 1400};
  EXPECT_EQ(policy.by_arcs(0), Direction::top_down);
  EXPECT_EQ(policy.by_arcs(100), Direction::top_down);
  EXPECT_EQ(policy.by_arcs(101), Direction::bottom_up);
}

TEST(DirectionPolicy, HoldsForTheLargestCounts) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const DirectionPolicy policy{14, 24, most, most};
  EXPECT_TRUE(policy.is_wide(most, most));  // no product overflows
  EXPECT_EQ(policy.by_arcs(most), Direction::bottom_up);
  EXPECT_FALSE(policy.is_wide(most / 30, most));
  EXPECT_EQ(policy.by_arcs(most / 20), Direction::top_down);
}

TEST(Direction, HasTheNamesOfTheRecords) {
  EXPECT_EQ(name_of(Direction::top_down), "top_down");
  EXPECT_EQ(name_of(Direction::bottom_up), "bottom_up");
}

}  // namespace
}  // namespace isobath
