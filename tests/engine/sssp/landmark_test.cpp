// SPDX-License-Identifier: Apache-2.0
// The plan `landmark` against Dijkstra's search and the rules, on any number of ranks.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generator/edge_store.hpp"
#include "mpi_main.hpp"
#include "sssp/kept_edges.hpp"
#include "sssp/landmark_plan.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath {
namespace {

using test::Weighing;
using test::WeightedGraph;

/// Everybody's part of a result, on every rank.
template <class T>
std::vector<T> whole(std::span<const T> part) {
  return test::world().allgatherv<T>(part);
}

void expect_shortest_paths(const WeightedGraph& graph, std::size_t roots) {
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  LandmarkPlan plan(edges, world, {}, observer);
  for (const GlobalVertex root : test::path_roots(graph, roots)) {
    const FoundTree paths = plan.search(root, observer);
    const auto parents = whole(paths.parents);
    const auto distances = whole(paths.distances);
    ASSERT_EQ(test::complaint_about_paths(graph, root, parents, distances), "");
  }
}

TEST(Landmark, OddGraphs) {
  for (const test::SampleGraph& graph : test::odd_graphs()) {
    if (graph.edges.empty()) continue;
    expect_shortest_paths(test::weighted(graph, Weighing::coarse), 4);
    expect_shortest_paths(test::weighted(graph, Weighing::tiny), 4);
  }
}

TEST(Landmark, BenchmarkGraphs) {
  for (const Weighing weighing : test::all_weighings) {
    expect_shortest_paths(test::weighted(test::kronecker_graph(7, 16), weighing), 8);
  }
  expect_shortest_paths(test::weighted(test::kronecker_graph(10, 16), Weighing::uniform), 12);
  expect_shortest_paths(test::weighted(test::kronecker_graph(9, 16), Weighing::tiny), 12);
}

TEST(Landmark, NoHubAndManyComponents) {
  for (const Weighing weighing : {Weighing::none, Weighing::tiny}) {
    expect_shortest_paths(test::weighted(test::lattice(11, 13), weighing), 4);
    expect_shortest_paths(test::weighted(test::lattice(1, 60), weighing), 4);
    expect_shortest_paths(test::weighted(test::archipelago(5, 300), weighing), 20);
    expect_shortest_paths(test::weighted(test::random_multigraph(3, 300, 450), weighing), 6);
    expect_shortest_paths(test::weighted(test::random_multigraph(4, 200, 2400, 4), weighing), 6);
  }
}

/// A margin in proportion to the weight would leave the edge out, and a distance would be one step larger:
/// 0.75 + 0.30 rounds so that two small steps by the landmark do not add up to what one of their sum adds.
TEST(Landmark, EdgeThatOnlyRoundingNeeds) {
  constexpr float step = 1.0F / 2147483648.0F;
  const auto vertex = [](int v) { return GlobalVertex{v}; };
  WeightedGraph graph;
  graph.graph = {"rounding", 16, {}};
  const auto edge = [&](int u, int v, float weight) {
    graph.graph.edges.push_back({vertex(u), vertex(v)});
    graph.weights.push_back(weight);
  };
  constexpr int root = 0;
  constexpr int middle = 1;
  constexpr int u = 2;
  constexpr int hub = 3;
  constexpr int v = 4;
  edge(root, middle, 0.75F);
  edge(middle, u, 0.30F);
  edge(u, hub, 139 * step);
  edge(hub, v, 139 * step);
  edge(u, v, 279 * step);
  for (int leaf = 5; leaf < 16; ++leaf) edge(hub, leaf, 0.5F);
  // The premise: by the landmark is shorter, and yet not nearer from this root.
  const float at_u = 0.75F + 0.30F;
  ASSERT_LT(139 * step + 139 * step, 279 * step);
  ASSERT_NE(at_u + 139 * step + 139 * step, at_u + 279 * step);
  expect_shortest_paths(graph, 16);
}

TEST(Landmark, LeavesEdgesOutAndKeepsEveryDistance) {
  const WeightedGraph graph = test::weighted(test::kronecker_graph(11, 16), Weighing::uniform);
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  LandmarkPlan plan(edges, world, {}, observer);
  const LandmarkPlan::Yield& yield = plan.yield();
  EXPECT_LT(yield.kept_arcs, 2 * plan.facts().num_edges / 8);  // 7 to 9 % at small scales
  EXPECT_LT(yield.core_vertices, yield.upper_vertices);
  EXPECT_GT(yield.rounds, 1);
}

TEST(Landmark, TheSameOnAnyNumberOfRanksAndThreads) {
  // Distances are unique; how far the order is peeled must not depend on ranks either.
  const WeightedGraph graph = test::weighted(test::kronecker_graph(9, 16), Weighing::uniform);
  const Communicator& world = test::world();
  SearchObserver observer;
  const auto share = test::share_of(graph, world.rank(), world.size());
  const auto all = test::share_of(graph, 0, 1);
  const Communicator alone;
  LandmarkPlan together(share, world, {}, observer);
  LandmarkPlan single(all, alone, {}, observer);
  EXPECT_EQ(together.yield().kept_arcs, single.yield().kept_arcs);
  EXPECT_EQ(together.yield().core_arcs, single.yield().core_arcs);
  EXPECT_EQ(together.yield().upper_vertices, single.yield().upper_vertices);
  EXPECT_EQ(together.facts().components, single.facts().components);
}

TEST(Landmark, FactsAndEdgesOfComponents) {
  const WeightedGraph graph = test::weighted(test::archipelago(9, 500), Weighing::uniform);
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  LandmarkPlan plan(edges, world, {}, observer);
  for (const GlobalVertex root : test::path_roots(graph, 30)) {
    const auto parents = whole(plan.search(root, observer).parents);
    std::int64_t inside = 0;
    std::int64_t loops = 0;
    for (const Edge& edge : graph.graph.edges) {
      if (parents[static_cast<std::size_t>(raw(edge.u))] == no_vertex) continue;
      ++(edge.u == edge.v ? loops : inside);
    }
    const TraversedEdges traversed = plan.traversed_edges(root);
    ASSERT_EQ(traversed.without_self_loops, inside);
    ASSERT_EQ(traversed.self_loops, loops);
  }
}

TEST(Landmark, SayWhichVerticesHaveNeighbours) {
  const WeightedGraph graph = test::weighted(test::archipelago(9, 500), Weighing::uniform);
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  LandmarkPlan plan(edges, world, {}, observer);
  std::vector<GlobalVertex> all;
  std::vector<char> right(500, 0);
  for (std::int64_t v = 0; v < 500; ++v) all.push_back(GlobalVertex{v});
  for (const Edge& edge : graph.graph.edges) {
    if (edge.u != edge.v)
      right[static_cast<std::size_t>(raw(edge.u))] = right[static_cast<std::size_t>(raw(edge.v))] = 1;
  }
  EXPECT_EQ(plan.has_neighbour(all), right);
}

}  // namespace
}  // namespace isobath
