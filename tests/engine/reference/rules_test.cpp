// SPDX-License-Identifier: Apache-2.0
// Each rule alone, on a graph small enough to see: the twin of the validator must itself be able to say no.
#include "reference/rules.hpp"

#include <gtest/gtest.h>

#include "hand_drawn.hpp"

namespace isobath::reference {
namespace {

constexpr GlobalVertex root{3};

Verdict verdict(std::initializer_list<int> parents) {
  return validate_bfs(test::edges_of_the_house(), test::vertices(parents), root, 8, 1);
}

std::vector<std::int64_t> violations(const Verdict& verdict) {
  std::vector<std::int64_t> counts;
  for (const Rule& rule : verdict.rules) counts.push_back(rule.violations);
  return counts;
}
using Counts = std::vector<std::int64_t>;

TEST(ReferenceRules, PassBothRightAnswers) {
  for (const int parent_of_0 : {1, 2}) {
    const Verdict right = verdict({parent_of_0, 3, 3, 3, 3, -1, -1, -1});

    EXPECT_TRUE(right.passed());
    EXPECT_EQ(right.traversed_edges, 8);
    EXPECT_EQ(right.self_loops, 1);
    EXPECT_EQ(right.vertices_per_level, (Counts{1, 3, 1}));
  }
}

TEST(ReferenceRules, SayWhichIsBrokenAndWhere) {
  const Verdict range = verdict({8, 3, 3, 3, 3, -2, -1, -1});
  EXPECT_EQ(violations(range), (Counts{2, 0, 0, 0, 3, 0, 0})) << "0 and 5; three edges lead to 0";
  EXPECT_EQ(range.rules[0], (Rule{2, GlobalVertex{0}, GlobalVertex{8}}));

  const Verdict root_has_parent = verdict({1, 3, 3, 1, 3, -1, -1, -1});
  EXPECT_EQ(violations(root_has_parent), (Counts{1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(root_has_parent.rules[0], (Rule{1, root, GlobalVertex{1}}));

  const Verdict circle = verdict({1, 3, 3, 3, 3, 6, 5, 6});
  EXPECT_EQ(violations(circle), (Counts{0, 3, 0, 0, 0, 0, 0})) << "the pair, and 7 which leads into it";
  EXPECT_EQ(circle.rules[1], (Rule{3, GlobalVertex{5}, GlobalVertex{6}}));

  const Verdict severed = verdict({1, 3, 3, 3, 3, 6, -1, 5});
  EXPECT_EQ(violations(severed), (Counts{0, 0, 2, 0, 0, 0, 0}));
  EXPECT_EQ(severed.rules[2], (Rule{2, GlobalVertex{5}, GlobalVertex{6}}));

  const Verdict too_deep = verdict({2, 0, 3, 3, 3, -1, -1, -1});
  EXPECT_EQ(violations(too_deep), (Counts{0, 0, 0, 2, 0, 0, 0}))
      << "1 is on level 3; so 1 3 and 4 1 are too long";
  EXPECT_EQ(too_deep.rules[3], (Rule{2, GlobalVertex{1}, root}));

  const Verdict forgotten = verdict({-1, 3, 3, 3, 3, -1, -1, -1});
  EXPECT_EQ(violations(forgotten), (Counts{0, 0, 0, 0, 3, 0, 0})) << "0 1 twice, 0 2";
  EXPECT_EQ(forgotten.rules[4], (Rule{3, GlobalVertex{0}, GlobalVertex{1}}));

  const Verdict no_neighbour = verdict({4, 3, 3, 3, 3, -1, -1, 0});
  EXPECT_EQ(violations(no_neighbour), (Counts{0, 0, 0, 0, 0, 2, 2})) << "7 brings its self-loops";
  EXPECT_EQ(no_neighbour.rules[5], (Rule{2, GlobalVertex{0}, GlobalVertex{4}}));
}

TEST(ReferenceRules, CompareClaimsUnlessNegative) {
  const std::vector<Edge> edges = test::edges_of_the_house();
  const std::vector<GlobalVertex> parents = test::vertices({1, 3, 3, 3, 3, -1, -1, -1});

  EXPECT_EQ(validate_bfs(edges, parents, root, 9, 3).rules[6].violations, 3);
  EXPECT_TRUE(validate_bfs(edges, parents, root).passed());
}

}  // namespace
}  // namespace isobath::reference
