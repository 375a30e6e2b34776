// SPDX-License-Identifier: Apache-2.0
#include "graph/endpoints.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "graph/original_arcs.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

void expect_as_in(const reference::Adjacency& graph, const Endpoints& endpoints, const BlockPartition& blocks,
                  const std::string& where) {
  const int rank = test::world().rank();
  ASSERT_EQ(static_cast<std::int64_t>(endpoints.of.size()), blocks.size(rank));
  std::vector<std::uint32_t> loops;
  for (std::int64_t local = 0; local < blocks.size(rank); ++local) {
    const Endpoint& endpoint = endpoints.of[static_cast<std::size_t>(local)];
    const auto v = static_cast<std::size_t>(blocks.first(rank) + local);
    ASSERT_EQ(static_cast<std::int64_t>(endpoint.count()), graph.endpoints[v]) << where << ", vertex " << v;
    ASSERT_EQ(endpoint.is_isolated(), graph.neighbours[v].empty()) << where << ", vertex " << v;
    ASSERT_EQ(endpoint.is_leaf(), graph.neighbours[v].size() == 1) << where << ", vertex " << v;
    if (endpoint.is_leaf()) {
      ASSERT_EQ(endpoint.only_neighbour(), raw(graph.neighbours[v][0])) << where;
    }
    for (std::int64_t k = 0; k < graph.self_loops[v]; ++k) loops.push_back(static_cast<std::uint32_t>(local));
  }
  EXPECT_EQ(endpoints.self_loops_at, loops) << where;
}

Endpoints all_of(const OriginalArcs& arcs, std::int64_t num_vertices) {
  bool are_counted = true;
  Endpoints all{arcs.endpoints(0, num_vertices, are_counted), arcs.self_loops_at()};
  EXPECT_TRUE(are_counted);
  return all;
}

TEST(CountEndpoints, CountsAsTheAdjacencyDoes) {
  const Communicator& world = test::world();
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(10, 16));
  graphs.push_back(test::random_multigraph(1, 30011, 90000, 7));
  graphs.push_back(test::archipelago(2, 5000));
  for (const SampleGraph& graph : graphs) {
    const BlockPartition blocks(graph.num_vertices, world.size());
    const SpanEdgeStream edges = test::share_of(graph, world.rank(), world.size());
    expect_as_in(reference::adjacency(graph.num_vertices, graph.edges), count_endpoints(edges, blocks, world),
                 blocks, graph.name);
    if (world.size() > 1) continue;
    expect_as_in(reference::adjacency(graph.num_vertices, graph.edges),
                 all_of(OriginalArcs(edges), graph.num_vertices), blocks, graph.name + ", dealt");
  }
}

/// A list so long that one rank's share takes several rounds, while others have nothing to send.
TEST(CountEndpoints, GoesOnUntilTheLongestShareIsDone) {
  const Communicator& world = test::world();
  constexpr std::int64_t n = 1000;
  constexpr std::int64_t m = (std::int64_t{1} << 20) + 4321;
  const bool has_edges = world.rank() == world.size() - 1;
  const test::FormulaEdgeStream edges(n, 0, has_edges ? m : 0, [](std::int64_t k) {
    return Edge{GlobalVertex{k * 7 % n}, GlobalVertex{k * 13 % (n / 2)}};
  });
  const BlockPartition blocks(n, world.size());
  SampleGraph graph{"a long list", n, std::vector<Edge>(m)};
  for (std::int64_t k = 0; k < m; ++k)
    graph.edges[static_cast<std::size_t>(k)] = {GlobalVertex{k * 7 % n}, GlobalVertex{k * 13 % (n / 2)}};
  expect_as_in(reference::adjacency(n, graph.edges), count_endpoints(edges, blocks, world), blocks,
               graph.name);
}

TEST(Endpoint, TellsLeavesFromVerticesOfSeveralNeighbours) {
  Endpoint endpoint;
  EXPECT_TRUE(endpoint.is_isolated());
  EXPECT_FALSE(endpoint.is_leaf());
  EXPECT_EQ(endpoint.count(), 0U);
  EXPECT_TRUE(endpoint.meet(0));
  EXPECT_TRUE(endpoint.is_leaf());
  EXPECT_EQ(endpoint.only_neighbour(), 0);
  EXPECT_TRUE(endpoint.meet(0));
  EXPECT_TRUE(endpoint.is_leaf());
  EXPECT_EQ(endpoint.count(), 2U);
  EXPECT_TRUE(endpoint.meet((std::int64_t{1} << 43) - 1));
  EXPECT_FALSE(endpoint.is_leaf());
  EXPECT_FALSE(endpoint.is_isolated());
  EXPECT_TRUE(endpoint.meet(0));  // back to the first: several for good
  EXPECT_TRUE(endpoint.meet(0));
  EXPECT_FALSE(endpoint.is_leaf());
  EXPECT_EQ(endpoint.count(), 5U);
}

TEST(Endpoint, HoldsTheLargestVertexOfTheLargestScale) {
  constexpr std::int64_t last = (std::int64_t{1} << 43) - 1;
  Endpoint endpoint;
  for (int copies = 1; copies <= 3; ++copies) {
    EXPECT_TRUE(endpoint.meet(last));
    EXPECT_TRUE(endpoint.is_leaf());
    EXPECT_EQ(endpoint.only_neighbour(), last);
    EXPECT_EQ(endpoint.count(), static_cast<std::uint64_t>(copies));
  }
  EXPECT_TRUE(endpoint.meet(0));
  EXPECT_EQ(endpoint.count(), 4U);
}

TEST(Endpoint, CountsBeyondTheCopiesOfALeafWhereNeighboursAreSeveral) {
  Endpoint endpoint;
  for (std::uint64_t k = 0; k < Endpoint::max_copies; ++k) ASSERT_TRUE(endpoint.meet(5));
  EXPECT_TRUE(endpoint.is_leaf());
  EXPECT_EQ(endpoint.count(), Endpoint::max_copies);
  EXPECT_EQ(endpoint.only_neighbour(), 5);
  Endpoint more = endpoint;
  EXPECT_FALSE(more.meet(5));
  EXPECT_TRUE(endpoint.meet(6));
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(endpoint.meet(5));
  EXPECT_EQ(endpoint.count(), Endpoint::max_copies + 1001);
  EXPECT_FALSE(endpoint.is_leaf());
}

/// However a list is cut into parts, and whichever comes first.
TEST(Endpoint, IsTheSameInPartsAsInOne) {
  constexpr std::int64_t a = 3;
  constexpr std::int64_t b = (std::int64_t{1} << 43) - 1;
  for (const std::vector<std::int64_t>& met : std::vector<std::vector<std::int64_t>>{
           {}, {a}, {b, b}, {a, b}, {a, a, b}, {b, a, a, a}, {a, b, a, b}, {a, a, a, a, a}}) {
    Endpoint whole;
    for (const std::int64_t other : met) ASSERT_TRUE(whole.meet(other));
    for (std::size_t cut = 0; cut <= met.size(); ++cut) {
      Endpoint front;
      Endpoint back;
      for (std::size_t k = 0; k < met.size(); ++k) ASSERT_TRUE((k < cut ? front : back).meet(met[k]));
      ASSERT_TRUE(front.merge(back));
      EXPECT_EQ(front.count(), whole.count());
      EXPECT_EQ(front.is_isolated(), whole.is_isolated());
      ASSERT_EQ(front.is_leaf(), whole.is_leaf());
      if (!whole.is_leaf()) continue;
      EXPECT_EQ(front.only_neighbour(), whole.only_neighbour());
    }
  }
}

TEST(Endpoint, DoesNotMergeMoreCopiesOfALeafThanItCounts) {
  Endpoint most;
  for (std::uint64_t k = 0; k < Endpoint::max_copies; ++k) ASSERT_TRUE(most.meet(5));
  Endpoint one_more;
  ASSERT_TRUE(one_more.meet(5));
  Endpoint other;
  ASSERT_TRUE(other.meet(6));
  EXPECT_FALSE(Endpoint(most).merge(one_more));
  EXPECT_TRUE(most.merge(other));
  EXPECT_EQ(most.count(), Endpoint::max_copies + 1);
}

TEST(CountEndpoints, RefusesMoreCopiesThanItCounts) {
  const Communicator& world = test::world();
  constexpr auto copies = static_cast<std::int64_t>(Endpoint::max_copies);
  const auto count = [&](std::int64_t m) {
    const auto [first, end] = edge_share(m, world.rank(), world.size());
    const test::FormulaEdgeStream edges(
        2, first, end, [](std::int64_t k) { return Edge{GlobalVertex{k % 2}, GlobalVertex{1 - k % 2}}; });
    if (world.size() == 1) {
      bool are_counted = true;
      OriginalArcs(edges).endpoints(0, 2, are_counted);
      EXPECT_EQ(are_counted, m <= copies);
    }
    count_endpoints(edges, BlockPartition(2, world.size()), world);
  };
  EXPECT_NO_THROW(count(copies));
  try {
    count(copies + 1);
    FAIL() << "one copy too many";
  } catch (const RefusedError& error) {  // on all ranks, also on those that own neither end
    EXPECT_STREQ(error.what(), "a vertex has more than 524,287 copies of an edge; drop copies first");
  }
}

}  // namespace
}  // namespace isobath
