// SPDX-License-Identifier: Apache-2.0
#include "sssp/upper_search.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "reference/dijkstra.hpp"

namespace isobath {
namespace {

/// A path core alone: every vertex of `edges`, both directions.
struct Core {
  UpperGraph upper;
  reference::WeightedAdjacency adjacency;
};

Core random_core(std::uint32_t seed, std::uint32_t vertices, std::size_t num_edges) {
  std::mt19937 draws(seed);
  std::vector<Edge> edges;
  std::vector<float> weights;
  for (std::size_t i = 0; i < num_edges; ++i) {
    edges.push_back({GlobalVertex{static_cast<std::int64_t>(draws() % vertices)},
                     GlobalVertex{static_cast<std::int64_t>(draws() % vertices)}});
    weights.push_back(draws() % 5 == 0 ? 0 : static_cast<float>(draws() % 1024) / 1024);
  }
  Core core;
  core.adjacency = reference::weighted_adjacency(vertices, edges, weights);
  core.upper.core = vertices;
  core.upper.original = LargeArray<std::uint32_t>(vertices);
  std::size_t arcs = 0;
  for (const auto& row : core.adjacency) arcs += row.size();
  core.upper.rows.start = LargeArray<std::uint64_t>(vertices + 1);
  core.upper.rows.neighbour = LargeArray<WeightedArc>(arcs);
  std::uint64_t at = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    core.upper.original[v] = v;
    for (const auto& [target, weight] : core.adjacency[v]) {
      core.upper.rows.neighbour[at++] = {static_cast<std::uint32_t>(raw(target)), weight};
    }
    core.upper.rows.start[v + 1] = at;
  }
  return core;
}

TEST(Settle, EqualsDijkstraFromAnyVertex) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Core core = random_core(seed, 150, 100 + 20 * seed);
    UpperPaths paths{LargeArray<float>(151), LargeArray<std::uint32_t>(151)};
    LargeArray<Word> changed(words_for(150));
    for (std::uint32_t root = 0; root < 150; root += 13) {
      std::fill_n(paths.distance.data(), 150, unreached);
      paths.distance[root] = 0;
      paths.parent[root] = root;
      set_bit(changed.span(), root);
      settle(core.upper, paths, changed.span());
      const auto right = reference::dijkstra(core.adjacency, GlobalVertex{root});
      for (std::uint32_t v = 0; v < 150; ++v) ASSERT_EQ(paths.distance[v], right.distances[v]);
      EXPECT_TRUE(std::all_of(changed.begin(), changed.end(), [](Word word) { return word == 0; }));
      for (std::uint32_t v = 0; v < 150; ++v) {  // parents lead to the root, edges of no weight or not
        if (paths.distance[v] == unreached) continue;
        std::uint32_t at = v;
        for (int steps = 0; at != root; ++steps) {
          ASSERT_LT(steps, 150);
          at = paths.parent[at];
        }
      }
    }
  }
}

/// 0 is the path core; 1 hangs from 0; 2 from 1 and 0; 3 from 2.
UpperGraph small_order() {
  UpperGraph upper;
  upper.core = 1;
  upper.original = LargeArray<std::uint32_t>(4);
  const std::vector<std::vector<WeightedArc>> rows = {
      {}, {{0, 0.5F}}, {{0, 0.875F}, {1, 0.25F}}, {{2, 0.125F}}};
  upper.rows.start = LargeArray<std::uint64_t>(5);
  upper.rows.neighbour = LargeArray<WeightedArc>(4);
  std::uint64_t at = 0;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    upper.original[v] = static_cast<std::uint32_t>(10 + v);
    for (const WeightedArc& arc : rows[v]) upper.rows.neighbour[at++] = arc;
    upper.rows.start[v + 1] = at;
  }
  upper.rounds = {{1, 2, 2}, {2, 2, 3}, {3, 4, 4}};
  return upper;
}

TEST(Climb, TakesTheBestWayToEachVertexAbove) {
  const std::vector<Offer> climbed = climb(small_order(), {{3, 0, 13}});
  ASSERT_EQ(climbed.size(), 4U);
  EXPECT_EQ(climbed[1].to, 2U);
  EXPECT_EQ(climbed[1].distance, 0.125F);
  EXPECT_EQ(climbed[2].to, 1U);
  EXPECT_EQ(climbed[2].distance, 0.375F);
  EXPECT_EQ(climbed[3].to, 0U);
  EXPECT_EQ(climbed[3].distance, 0.875F);  // by 1, not over the arc of 0.875 (1 in all)
  EXPECT_EQ(climbed[3].parent, 11U);
}

TEST(Descend, TakesTheBestWayFromAbove) {
  const UpperGraph upper = small_order();
  UpperPaths paths{LargeArray<float>(5), LargeArray<std::uint32_t>(5)};
  paths.distance[0] = 1;
  for (const UpperGraph::Round& round : upper.rounds) descend(upper, round, round.first, round.end, paths);
  EXPECT_EQ(paths.distance[1], 1.5F);
  EXPECT_EQ(paths.distance[2], 1.75F);
  EXPECT_EQ(paths.parent[2], 11U);
  EXPECT_EQ(paths.distance[3], 1.875F);
}

}  // namespace
}  // namespace isobath
