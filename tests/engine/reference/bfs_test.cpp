// SPDX-License-Identifier: Apache-2.0
#include "reference/bfs.hpp"

#include <gtest/gtest.h>

#include "hand_drawn.hpp"

namespace isobath::reference {
namespace {

TEST(ReferenceBfs, FindsLevelsAndParentsOfAHandDrawnGraph) {
  const BfsTree tree = bfs(test::house_with_a_pair_beside(), GlobalVertex{3});

  EXPECT_EQ(tree.levels, (std::vector<Level>{2, 1, 1, 0, 1, -1, -1, -1}));
  EXPECT_EQ(tree.parents, test::vertices({1, 3, 3, 3, 3, -1, -1, -1}));
  EXPECT_EQ(levels_from_parents(tree.parents, GlobalVertex{3}), tree.levels);
}

TEST(ReferenceBfs, StaysInAVertexWithoutNeighbours) {
  const BfsTree tree = bfs(test::house_with_a_pair_beside(), GlobalVertex{7});

  EXPECT_EQ(tree.levels, (std::vector<Level>{-1, -1, -1, -1, -1, -1, -1, 0}));
}

TEST(ReferenceLevels, EndAtCyclesAndMissingParents) {
  EXPECT_EQ(levels_from_parents(test::vertices({0, 0, 3, 2, 2, -1, 5, 9, 7}), GlobalVertex{0}),
            (std::vector<Level>{0, 1, -1, -1, -1, -1, -1, -1, -1}));
}

}  // namespace
}  // namespace isobath::reference
