// SPDX-License-Identifier: Apache-2.0
#include "validate/distinct_edges.hpp"

#include <iterator>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "partition/edge_stream.hpp"
#include "validation_case.hpp"

namespace isobath {
namespace {

SpanEdgeStream own_share(const test::Graph& graph) {
  const Communicator& world = test::world();
  const auto [first, end] = edge_share(std::ssize(graph.edges), world.rank(), world.size());
  return SpanEdgeStream(
      graph.num_vertices,
      std::span(graph.edges).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)));
}

/// The plain definition.
std::int64_t distinct_edges_of(const test::Graph& graph) {
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const Edge& edge : graph.edges) {
    if (edge.u != edge.v) pairs.insert(std::minmax(raw(edge.u), raw(edge.v)));
  }
  return static_cast<std::int64_t>(pairs.size());
}

TEST(DistinctEdges, AreCountedAsASetCountsThemInAnyNumberOfPasses) {
  std::vector<test::Graph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker(8));
  graphs.push_back(test::random_multigraph(40, 3000, 5));
  const Communicator& world = test::world();
  for (const test::Graph& graph : graphs) {
    const SpanEdgeStream edges = own_share(graph);
    const std::int64_t expected = distinct_edges_of(graph);
    EXPECT_EQ(count_distinct_edges(edges, world), expected) << graph.name;
    for (const std::int64_t pairs_at_once : {1, 37, 500}) {
      EXPECT_EQ(count_distinct_edges(edges, world, pairs_at_once), expected) << graph.name;
    }
    EXPECT_EQ(count_distinct_edges(edges, world, 500, ExchangeLimits{100, 40}), expected) << graph.name;
  }
}

TEST(DistinctEdges, OneMoreOrLessIsSeenWhereverItStands) {
  const Communicator& world = test::world();
  const test::Graph graph = test::kronecker(6);
  const std::int64_t expected = distinct_edges_of(graph);
  for (std::size_t k = 0; k < graph.edges.size(); k += 53) {
    test::Graph other = graph;
    other.num_vertices += 1;
    other.edges[k].v = GlobalVertex{graph.num_vertices};  // an edge that nobody else has
    EXPECT_EQ(count_distinct_edges(own_share(other), world), distinct_edges_of(other));
    other = graph;
    other.edges.push_back({graph.edges[k].v, graph.edges[k].u});
    EXPECT_EQ(count_distinct_edges(own_share(other), world), expected);
  }
}

TEST(DistinctEdges, NumbersBeyond32BitsStayApart) {
  const Communicator& world = test::world();
  test::Graph graph{"far apart", std::int64_t{1} << 40, {}};
  for (std::int64_t k = 0; k < 300; ++k) {
    graph.edges.push_back({GlobalVertex{k << 32}, GlobalVertex{7}});
    graph.edges.push_back({GlobalVertex{7}, GlobalVertex{k << 32}});
  }
  EXPECT_EQ(count_distinct_edges(own_share(graph), world), 300);
}

/// More pairs of one pass in a row than a rank may send at once: the first rank has nearly all of them.
TEST(DistinctEdges, APairThatStandsInTheListAgainAndAgainIsCountedOnce) {
  const Communicator& world = test::world();
  std::vector<Edge> mine(world.rank() == 0 ? 400'000 : 3);
  for (std::size_t k = 0; k < mine.size(); ++k) {
    mine[k] = k % 2 == 0 ? Edge{GlobalVertex{3}, GlobalVertex{9}} : Edge{GlobalVertex{9}, GlobalVertex{3}};
  }
  const SpanEdgeStream edges(16, mine);
  for (const std::int64_t pairs_at_once : {400'000, 200'000}) {
    EXPECT_EQ(count_distinct_edges(edges, world, pairs_at_once), 1) << pairs_at_once;
    EXPECT_EQ(count_distinct_edges(edges, world, pairs_at_once, ExchangeLimits{4096, 1000}), 1);
  }
}

TEST(DistinctEdges, ManyRanksGoThroughTheListMoreOftenThanFew) {
  constexpr std::int64_t least = std::int64_t{1} << 22;
  for (const int ranks : {1, 2, 16, 64, 128, 100'000}) {
    for (const std::int64_t edges : {std::int64_t{0}, std::int64_t{1000}, 8 * least}) {
      EXPECT_EQ(distinct_pairs_at_once(edges, ranks), least) << ranks;
    }
  }
  constexpr std::int64_t long_list = 64 * 16 * least;
  for (const int ranks : {1, 2, 6, 16}) EXPECT_EQ(distinct_pairs_at_once(long_list, ranks), long_list / 8);
  EXPECT_EQ(distinct_pairs_at_once(long_list, 64), long_list / 32);
  for (const int ranks : {128, 100'000}) EXPECT_EQ(distinct_pairs_at_once(long_list, ranks), long_list / 64);
}

}  // namespace
}  // namespace isobath
