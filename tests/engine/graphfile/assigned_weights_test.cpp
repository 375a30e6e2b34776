// SPDX-License-Identifier: Apache-2.0
// Weights given to a graph that has none: the same whatever the file, the numbering and the ranks.
#include "graphfile/assigned_weights.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "graphfile/file_edges.hpp"

namespace isobath::test {
namespace {

using Rule = AssignedWeights::Rule;

Edge edge_between(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

TEST(AssignedWeights, AreSaidByAWordThatIsNoFile) {
  EXPECT_EQ(weight_rule_of("unit"), Rule::unit);
  EXPECT_EQ(weight_rule_of("random"), Rule::random);
  EXPECT_EQ(weight_rule_of("./random"), Rule::none);
  EXPECT_EQ(weight_rule_of(""), Rule::none);
  EXPECT_EQ(name_of(Rule::random), "random");
  EXPECT_FALSE(AssignedWeights{}.are_assigned());
}

TEST(AssignedWeights, UnitIsOne) { EXPECT_EQ((AssignedWeights{Rule::unit, 5}.of(edge_between(3, 4))), 1.0F); }

TEST(AssignedWeights, RandomOnesAreThoseOfTheDocumentedFormula) {
  // By a twin in Python, docs/reference/graph-files.md; tests/system/test_weighted_searches.py holds more.
  const AssignedWeights weights{Rule::random, 1};
  EXPECT_EQ(weights.of(edge_between(0, 1)), 0.42321139574050903F);
  EXPECT_EQ(weights.of(edge_between(1, 2)), 0.2678731679916382F);
  EXPECT_EQ(weights.of(edge_between(3, 4)), 0.8411218523979187F);
}

TEST(AssignedWeights, RandomOnesBelongToTheTwoEndsAndTheSeed) {
  const AssignedWeights weights{Rule::random, 1};
  const AssignedWeights others{Rule::random, 2};
  int equal = 0;
  double sum = 0;
  for (std::int64_t u = 0; u < 1000; ++u) {
    const float weight = weights.of(edge_between(u, 7 * u + 1));
    EXPECT_EQ(weight, weights.of(edge_between(7 * u + 1, u)));
    EXPECT_GE(weight, 0.0F);
    EXPECT_LT(weight, 1.0F);
    equal += weight == others.of(edge_between(u, 7 * u + 1)) ? 1 : 0;
    sum += double{weight};
  }
  EXPECT_LT(equal, 3);
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(AssignedWeights, FollowTheIdsOfTheFileAndNotTheNumbering) {
  const std::vector<Edge> listed_edges = {edge_between(70, 9'000'000'000), edge_between(9'000'000'000, 5)};
  const AssignedWeights weights{Rule::random, 3};
  const std::vector<float> own = {0.5F, 0.25F};
  ListedEdges listed;
  listed.append(EdgePiece(listed_edges, own));  // its own weights do not matter
  listed.weighted = true;
  const VertexIds ids(std::vector<std::int64_t>{5, 70, 9'000'000'000});
  const auto stream = make_file_edges(std::move(listed), 3, &ids, weights);
  std::vector<Edge> edges(2);
  std::vector<float> read(2);
  stream->read_weighted(0, edges, read);
  EXPECT_EQ(edges[0], edge_between(1, 2));
  EXPECT_EQ(read[0], weights.of(listed_edges[0]));
  EXPECT_EQ(read[1], weights.of(listed_edges[1]));
}

}  // namespace
}  // namespace isobath::test
