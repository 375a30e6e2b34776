// SPDX-License-Identifier: Apache-2.0
#include "placement/placement.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(Placement, IsReadWithOrWithoutNames) {
  EXPECT_EQ(parse_places("0,0,1", "", 3).node_of_rank, (std::vector<int>{0, 0, 1}));
  EXPECT_TRUE(parse_places("0,0,1", "", 3).host_of_node.empty());
  EXPECT_EQ(parse_places("0,0,1", "a,b", 3).host_of_node, (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW(parse_places("0,0,1", "a", 3), UsageError);
  EXPECT_THROW(parse_places("0,0", "a", 3), UsageError);
}

TEST(Placement, NamesTheFirstRankThatIsElsewhere) {
  const RankPlaces asked = parse_places("0,0,1,1", "a,b", 4);
  EXPECT_EQ(placement_fault(asked, asked), "");
  EXPECT_EQ(placement_fault(asked, parse_places("0,0,0,0", "a", 4)),
            "rank 2 was to be on node 1 (b) and is on node 0 (a)");
  EXPECT_EQ(placement_fault(asked, parse_places("0,0,1,1", "b,a", 4)),
            "rank 0 was to be on node 0 (a) and is on node 0 (b)");
  const RankPlaces anywhere = parse_places("0,0,1,1", "", 4);
  EXPECT_EQ(placement_fault(anywhere, parse_places("0,0,1,1", "b,a", 4)), "");
  EXPECT_EQ(placement_fault(anywhere, parse_places("0,1,0,1", "b,a", 4)),
            "rank 1 was to be on node 0 and is on node 1 (a)");
}

TEST(Placement, ThreadsThatAreBoundShareNoProcessor) {  // on several ranks: binding_fault_test.cpp
  const Communicator alone;
  EXPECT_EQ(binding_fault(alone, 0, {"0", "1"}), "");
  EXPECT_EQ(binding_fault(alone, 0, {"0-3", "0-3", "1,2", "1,2"}), "");  // nobody is bound
  EXPECT_EQ(binding_fault(alone, 5, {"0", "1", "1"}),
            "ranks 0 and 0 of node 5 have threads that share processor 1");
}

TEST(Placement, DimensionZeroOfAShapeVariesFastestWithTheRank) {
  const std::vector<std::vector<int>> asked = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}};
  EXPECT_EQ(shape_fault({2, 3}, asked), "");
  EXPECT_EQ(shape_fault({6}, {{0}, {1}, {2}, {3}, {4}, {5}}), "");
  EXPECT_EQ(shape_fault({2, 3}, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}),
            "rank 1 was to be at 1,0 of shape 2x3 and is at 0,1");
  EXPECT_EQ(shape_fault({3, 2}, asked), "rank 2 was to be at 2,0 of shape 3x2 and is at 0,1");
  EXPECT_EQ(shape_fault({2, 1, 2}, {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}}),
            "rank 3 was to be at 1,0,1 of shape 2x1x2 and is at 0,0,1");
}

}  // namespace
}  // namespace isobath
