// SPDX-License-Identifier: Apache-2.0
// Levels that ranks find for their own rows and tell each other, against a walk along the parents of each
// vertex.
#include "validate/level_rounds.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "validate/level_bits.hpp"
#include "validation_case.hpp"

namespace isobath::test {
namespace {

using Places = std::vector<std::uint32_t>;
constexpr std::uint32_t none = EdgeCopy::no_place;

DealtRows dealt() {
  return {static_cast<std::uint32_t>(world().rank()), static_cast<std::uint32_t>(world().size())};
}

/// What this rank finds for parents of all places, none of which has anything to complain about but
/// `rank_that_complains`.
struct Levels {
  bool are_found;
  std::vector<std::uint16_t> bits;
};
Levels levels_of(LevelRounds& rounds, const Places& parents, std::uint32_t root, int rank_that_complains) {
  Places of_rows(dealt().rows_of(world().rank(), parents.size()));
  for (std::size_t row = 0; row < of_rows.size(); ++row) {
    of_rows[row] = parents[dealt().place_of(static_cast<std::uint32_t>(row))];
  }
  std::vector<std::uint16_t> bits(LevelRounds::room_for(parents.size()));
  const bool are_found = rounds.find(root, of_rows, world().rank() == rank_that_complains, bits);
  bits.resize(parents.size());
  return {are_found, bits};
}
Levels levels_of(const Places& parents, std::uint32_t root, int rank_that_complains = -1) {
  LevelRounds rounds(world(), dealt(), parents.size());
  return levels_of(rounds, parents, root, rank_that_complains);
}

std::vector<std::uint16_t> along_parents(const Places& parents, std::uint32_t root) {
  std::vector<std::uint16_t> bits;
  for (std::uint32_t place = 0; place < parents.size(); ++place) {
    int level = 0;
    for (std::uint32_t at = place; at != root && parents[at] != none; at = parents[at]) ++level;
    bits.push_back(parents[place] == none ? level_bits::outside : level_bits::of(level));
  }
  return bits;
}

/// A tree with so many vertices on each level and the others outside, over places in random order.
struct Tree {
  std::uint32_t root;
  Places parents;
};
Tree tree_of(std::size_t num_places, const std::vector<std::size_t>& per_level, Random& random) {
  Places order(num_places);
  for (std::uint32_t place = 0; place < num_places; ++place) order[place] = place;
  for (std::size_t i = num_places; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(draw(random, static_cast<std::int64_t>(i)))]);
  }
  Tree tree{order[0], Places(num_places, none)};
  tree.parents[tree.root] = tree.root;
  std::size_t above = 0;
  std::size_t next = 1;
  for (const std::size_t vertices : per_level) {
    const std::size_t end = next + vertices;
    const auto parents = static_cast<std::int64_t>(next - above);
    for (std::size_t i = next; i < end; ++i) {
      tree.parents[order[i]] = order[above + static_cast<std::size_t>(draw(random, parents))];
    }
    above = next;
    next = end;
  }
  return tree;
}

/// Levels that fit the short list of a rank and such as do not; places that fill no word and no turn of
/// ranks.
std::vector<Tree> trees(Random& random) {
  return {tree_of(1, {}, random),
          tree_of(63, {5, 40}, random),
          tree_of(64, {63}, random),
          tree_of(130, {2, 100, 20}, random),
          tree_of(1000, {58, 59, 1, 700, 3}, random),
          tree_of(5000, {10, 800, 3000, 400, 30, 2}, random),
          tree_of(900, {1, 1, 1, 400, 1, 1, 1, 300, 1, 1, 1, 1, 1}, random)};
}

TEST(LevelRounds, FindOnEveryRankTheLevelsOfAllPlaces) {
  Random random(17);
  for (const Tree& tree : trees(random)) {
    const Levels levels = levels_of(tree.parents, tree.root);
    ASSERT_TRUE(levels.are_found) << tree.parents.size();
    EXPECT_EQ(levels.bits, along_parents(tree.parents, tree.root)) << tree.parents.size();
  }
}

TEST(LevelRounds, ForgetTheTreeBefore) {
  Random random(18);
  const Tree wide = tree_of(700, {100, 500}, random);
  const Tree deep = tree_of(700, {1, 1, 90, 1, 200}, random);
  LevelRounds rounds(world(), dealt(), 700);
  for (int i = 0; i < 2; ++i) {
    for (const Tree* tree : {&wide, &deep}) {
      EXPECT_EQ(levels_of(rounds, tree->parents, tree->root, -1).bits,
                along_parents(tree->parents, tree->root));
      EXPECT_FALSE(levels_of(rounds, tree->parents, tree->root, 0).are_found) << "rank 0 complained";
    }
  }
}

TEST(LevelRounds, FindNothingWhereAnyRankComplains) {
  Random random(19);
  const Tree tree = tree_of(500, {20, 300}, random);
  for (int rank = 0; rank < world().size(); ++rank) {
    EXPECT_FALSE(levels_of(tree.parents, tree.root, rank).are_found) << rank;
  }
}

/// Of every vertex in turn, whichever rank has its row.
TEST(LevelRounds, FindNothingWhereParentsDoNotLeadToTheRoot) {
  Random random(20);
  const Tree tree = tree_of(400, {10, 200, 100}, random);  // the others are outside
  const auto outside = static_cast<std::uint32_t>(std::find(tree.parents.begin(), tree.parents.end(), none) -
                                                  tree.parents.begin());
  for (std::uint32_t place = 0; place < tree.parents.size(); place += 7) {
    Places parents = tree.parents;
    parents[place] = outside;
    EXPECT_FALSE(levels_of(parents, tree.root).are_found) << place << ", its parent was not reached";
    if (place == tree.root) continue;
    parents[place] = place;
    EXPECT_FALSE(levels_of(parents, tree.root).are_found) << place << " is its own parent";
  }
  Places circle = tree.parents;
  const auto child = static_cast<std::uint32_t>(
      std::find_if(circle.begin(), circle.end(),
                   [&](std::uint32_t parent) { return parent != none && parent != tree.root; }) -
      circle.begin());
  circle[circle[child]] = child;
  EXPECT_FALSE(levels_of(circle, tree.root).are_found);
  Places rootless = tree.parents;
  rootless[tree.root] = none;
  EXPECT_FALSE(levels_of(rootless, tree.root).are_found) << "the root has no parent";
  rootless[tree.root] = child;
  EXPECT_FALSE(levels_of(rootless, tree.root).are_found) << "the root has another parent";
}

TEST(LevelRounds, FindLevelsDownToTheDeepestBit) {
  Random random(21);
  for (const std::size_t depth : {13U, 14U, 40U}) {
    const Tree line = tree_of(200, std::vector<std::size_t>(depth, 1), random);
    EXPECT_EQ(levels_of(line.parents, line.root).are_found, depth == 13) << depth;
  }
}

}  // namespace
}  // namespace isobath::test
