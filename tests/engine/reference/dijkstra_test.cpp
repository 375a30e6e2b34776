// SPDX-License-Identifier: Apache-2.0
#include "reference/dijkstra.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "hand_drawn.hpp"
#include "reference/sssp_rules.hpp"

namespace isobath::reference {
namespace {

using Weights = std::vector<float>;

/// Least weight of all paths, each walked to its end.
void walk_all_paths(const WeightedAdjacency& graph, GlobalVertex v, float distance, std::vector<bool>& passed,
                    Weights& least) {
  const auto here = static_cast<std::size_t>(raw(v));
  least[here] = std::min(least[here], distance);
  passed[here] = true;
  for (const auto& [target, weight] : graph[here]) {
    if (!passed[static_cast<std::size_t>(raw(target))])
      walk_all_paths(graph, target, distance + weight, passed, least);
  }
  passed[here] = false;
}

TEST(ReferenceDijkstra, KeepsTheLightestOfSeveralEdgesAndNoSelfLoop) {
  const WeightedAdjacency graph =
      weighted_adjacency(8, test::edges_of_the_house(), test::weights_of_the_house());

  EXPECT_EQ(graph[0], (std::vector<WeightedArc>{{GlobalVertex{1}, 0.125F}, {GlobalVertex{2}, 0.25F}}));
  EXPECT_EQ(graph[3].size(), 3U);
  EXPECT_TRUE(graph[7].empty());
}

TEST(ReferenceDijkstra, FindsDistancesAndParentsOfAHandDrawnGraph) {
  const ShortestPathTree tree = dijkstra(
      weighted_adjacency(8, test::edges_of_the_house(), test::weights_of_the_house()), GlobalVertex{3});

  EXPECT_EQ(tree.distances, (Weights{0.5F, 0.375F, 0.5F, 0, 0.125F, no_distance, no_distance, no_distance}));
  EXPECT_EQ(tree.parents, test::vertices({1, 4, 3, 3, 3, -1, -1, -1}));
}

TEST(ReferenceDijkstra, AddsUpInSinglePrecisionFromTheRoot) {
  // A path 0 1 2 3: fl(fl(1 + 2^-24) + 2^-24) = 1, whereas 2^-24 + 2^-24 + 1 is more.
  const float tiny = std::numeric_limits<float>::epsilon() / 2;
  const std::vector<Edge> path = test::edges({{0, 1}, {1, 2}, {2, 3}});
  const WeightedAdjacency graph = weighted_adjacency(4, path, Weights{1, tiny, tiny});

  EXPECT_EQ(dijkstra(graph, GlobalVertex{0}).distances, (Weights{0, 1, 1, 1}));
  EXPECT_EQ(dijkstra(graph, GlobalVertex{3}).distances, (Weights{1 + 2 * tiny, 2 * tiny, tiny, 0}));
}

TEST(ReferenceDijkstra, AgreesWithAllPathsOfSmallGraphs) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Edge> edges;
    Weights weights;
    for (int i = 0; i < 11; ++i) {
      edges.push_back({GlobalVertex{static_cast<std::int64_t>(random() % 7)},
                       GlobalVertex{static_cast<std::int64_t>(random() % 7)}});
      weights.push_back(static_cast<float>(random() % 4) / 10);  // zero and equal weights are frequent
    }
    const WeightedAdjacency graph = weighted_adjacency(7, edges, weights);
    Weights least(7, no_distance);
    std::vector<bool> passed(7);
    walk_all_paths(graph, GlobalVertex{2}, 0, passed, least);

    const ShortestPathTree tree = dijkstra(graph, GlobalVertex{2});

    EXPECT_EQ(tree.distances, least);
    EXPECT_TRUE(validate_sssp(edges, weights, tree.parents, tree.distances, GlobalVertex{2}).passed());
  }
}

TEST(ReferenceDijkstra, RefusesWeightsThatAreNoDistances) {
  const std::vector<Edge> edge = test::edges({{0, 1}});
  for (const float weight : {-0.5F, no_distance, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THROW(weighted_adjacency(2, edge, Weights{weight}), InternalError);
  }
  EXPECT_THROW(weighted_adjacency(1, edge, Weights{1}), InternalError);
}

}  // namespace
}  // namespace isobath::reference
