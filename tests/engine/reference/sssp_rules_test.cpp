// SPDX-License-Identifier: Apache-2.0
// Each rule for shortest paths alone: the twin of the validator must itself be able to say no.
#include "reference/sssp_rules.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "hand_drawn.hpp"
#include "reference/dijkstra.hpp"

namespace isobath::reference {
namespace {

constexpr GlobalVertex root{3};
constexpr float never = no_distance;
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
using Distances = std::vector<float>;
using Counts = std::vector<std::int64_t>;

const Distances right_distances = {0.5F, 0.375F, 0.5F, 0, 0.125F, never, never, never};

SsspVerdict verdict(std::initializer_list<int> parents, const Distances& distances = right_distances) {
  return validate_sssp(test::edges_of_the_house(), test::weights_of_the_house(), test::vertices(parents),
                       distances, root, 8, 1);
}

Counts violations(const SsspVerdict& verdict) {
  Counts counts;
  for (const Rule& rule : verdict.rules) counts.push_back(rule.violations);
  return counts;
}

TEST(ReferenceSsspRules, PassTheRightAnswer) {
  const SsspVerdict right = verdict({1, 4, 3, 3, 3, -1, -1, -1});

  EXPECT_TRUE(right.passed());
  EXPECT_EQ(right.traversed_edges, 8);
  EXPECT_EQ(right.self_loops, 1);
  EXPECT_EQ(right.vertices_reached, 5);
  EXPECT_EQ(right.tree_levels, 4) << "3 4 1 0";
  EXPECT_EQ(right.distance_sum, 1.5);
  EXPECT_EQ(right.distance_max, 0.5);
}

TEST(ReferenceSsspRules, SayWhichIsBrokenAndWhere) {
  EXPECT_EQ(violations(verdict({9, 4, 3, 3, 3, -1, -1, -1})), (Counts{1, 0, 0, 0, 0, 3, 0, 0}))
      << "three edges lead to 0, which is not in the tree";
  EXPECT_EQ(violations(verdict({1, 4, 3, 4, 3, -1, -1, -1})), (Counts{1, 0, 0, 0, 0, 0, 0, 0}));

  const SsspVerdict circle =
      verdict({1, 4, 3, 3, 3, 6, 5, -1}, {0.5F, 0.375F, 0.5F, 0, 0.125F, 0.5F, 0.5F, never});
  EXPECT_EQ(violations(circle), (Counts{0, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(circle.rules[1], (Rule{2, GlobalVertex{5}, GlobalVertex{6}}));

  const SsspVerdict severed =
      verdict({1, 4, 3, 3, 3, 6, -1, -1}, {0.5F, 0.375F, 0.5F, 0, 0.125F, 0.5F, never, never});
  EXPECT_EQ(violations(severed), (Counts{0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(severed.rules[2], (Rule{1, GlobalVertex{5}, GlobalVertex{6}}));

  const SsspVerdict too_far =
      verdict({1, 4, 3, 3, 3, -1, -1, -1}, {0.75F, 0.375F, 0.5F, 0, 0.125F, never, never, never});
  EXPECT_EQ(violations(too_far), (Counts{0, 0, 0, 0, 1, 0, 1, 0})) << "1 0 by the lighter copy";
  EXPECT_EQ(too_far.rules[4], (Rule{1, GlobalVertex{0}, GlobalVertex{1}}));
  EXPECT_EQ(too_far.rules[6], (Rule{1, GlobalVertex{0}, GlobalVertex{1}}));

  const SsspVerdict forgotten =
      verdict({-1, 4, 3, 3, 3, -1, -1, -1}, {never, 0.375F, 0.5F, 0, 0.125F, never, never, never});
  EXPECT_EQ(violations(forgotten), (Counts{0, 0, 0, 0, 0, 3, 0, 0}));
  EXPECT_EQ(forgotten.rules[5], (Rule{3, GlobalVertex{0}, GlobalVertex{1}}));

  const SsspVerdict heavier_parent = verdict({2, 4, 3, 3, 3, -1, -1, -1});
  EXPECT_EQ(violations(heavier_parent), (Counts{0, 0, 0, 0, 0, 0, 1, 0})) << "0.5 + 0.25 is not 0.5";

  EXPECT_EQ(validate_sssp(test::edges_of_the_house(), test::weights_of_the_house(),
                          test::vertices({1, 4, 3, 3, 3, -1, -1, -1}), right_distances, root, 9, 3)
                .rules[7]
                .violations,
            3);
}

TEST(ReferenceSsspRules, WantADistanceExactlyWhereThereIsAParent) {
  for (const float wrong : {-0.5F, never, no_number}) {
    const SsspVerdict found =
        verdict({1, 4, 3, 3, 3, -1, -1, -1}, {wrong, 0.375F, 0.5F, 0, 0.125F, never, never, never});
    EXPECT_EQ(violations(found), (Counts{0, 0, 0, 1, 0, 0, 1, 0})) << wrong;
  }
  for (const float wrong : {-never, 0.5F, -1.0F, no_number}) {
    const SsspVerdict found =
        verdict({1, 4, 3, 3, 3, -1, -1, -1}, {0.5F, 0.375F, 0.5F, 0, 0.125F, wrong, never, never});
    EXPECT_EQ(violations(found), (Counts{0, 0, 0, 1, 0, 0, 0, 0})) << wrong;
    EXPECT_EQ(found.rules[3], (Rule{1, GlobalVertex{5}, no_vertex})) << wrong;
  }
  const SsspVerdict moved =
      verdict({1, 4, 3, 3, 3, -1, -1, -1}, {1.5F, 1.375F, 1.5F, 1, 1.125F, never, never, never});
  EXPECT_EQ(violations(moved), (Counts{0, 0, 0, 1, 0, 0, 0, 0})) << "the root is not at 0";
}

TEST(ReferenceSsspRules, SeeCirclesOfEdgesThatAddNothing) {
  // 0 1 2 and 1 2: with a weight of zero between them, 1 and 2 could confirm one another.
  const std::vector<Edge> edges = test::edges({{0, 1}, {1, 2}, {0, 2}});
  const std::vector<float> weights = {0.5F, 0, 0.5F};
  const Distances distances = {0, 0.5F, 0.5F};

  EXPECT_TRUE(validate_sssp(edges, weights, test::vertices({0, 0, 1}), distances, GlobalVertex{0}).passed());
  const SsspVerdict circle =
      validate_sssp(edges, weights, test::vertices({0, 2, 1}), distances, GlobalVertex{0});
  EXPECT_EQ(circle.rules[1], (Rule{2, GlobalVertex{1}, GlobalVertex{2}}));
}

}  // namespace
}  // namespace isobath::reference
