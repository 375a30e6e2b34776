// SPDX-License-Identifier: Apache-2.0
// Labels, sizes and edges of components, and the other facts of construction, against the slow twins.
#include "bfs/components.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::Oracle;
using test::SampleGraph;
using test::Searched;
using test::shapes_of;

std::vector<SampleGraph> graphs() {
  std::vector<SampleGraph> all = test::odd_graphs();
  all.push_back(test::kronecker_graph(8, 3));
  all.push_back(test::archipelago(1, 1000));
  all.push_back(test::random_multigraph(2, 600, 330));
  return all;
}

/// The label that construction documents: the smallest original number of a searched vertex of the component,
/// of a pair of leaves the smaller of the two.
std::vector<std::int64_t> labels_of(const Oracle& oracle, std::size_t main) {
  const reference::Adjacency& adjacency = oracle.adjacency();
  std::vector<std::int64_t> lowest(oracle.components().vertices.size(), -1);
  for (const bool searched : {true, false}) {
    for (std::int64_t v = 0; v < adjacency.num_vertices(); ++v) {
      std::int64_t& label = lowest[oracle.component_of(GlobalVertex{v})];
      const bool is_searched = adjacency.neighbours[static_cast<std::size_t>(v)].size() > 1;
      if (label < 0 && is_searched == searched) label = v;
    }
  }
  if (main < lowest.size()) lowest[main] = Components::main;
  return lowest;
}

/// Where an own vertex stands, without asking anybody.
Location own_location(const Graph& graph, std::int64_t local) {
  Location location;
  location.owner = graph.layout.rank;
  const std::uint32_t code = graph.numbering.code[static_cast<std::size_t>(local)];
  if (code == Numbering::isolated) return location;
  location.kind = code == Numbering::leaf ? Location::Kind::leaf : Location::Kind::searched;
  location.working = code == Numbering::leaf ? graph.numbering.leaf_index(local) : code;
  return location;
}

/// With component `main` of the reference as the main one (or none of them): any choice must give the same
/// partition.
void expect_components(const SampleGraph& sample, const Oracle& oracle, GridShape shape, std::size_t main) {
  const Communicator& world = test::world();
  const std::string where = sample.name + " on " + shape.text() + ", main component " + std::to_string(main);
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  const Graph graph =
      construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody);
  const std::int64_t first = graph.layout.blocks.first(world.rank());
  std::vector<Word> in_main(graph.layout.own_words() + 1);
  for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
    if (oracle.component_of(GlobalVertex{first + graph.numbering.original[t]}) == main) set_bit(in_main, t);
  }

  const Components components(graph, world, grid, in_main);

  const std::vector<std::int64_t> labels = labels_of(oracle, main);
  std::map<std::int64_t, std::set<std::uint32_t>> leaves_by_label;
  std::int64_t in_pairs = 0;
  for (std::int64_t local = 0; local < graph.layout.blocks.size(world.rank()); ++local) {
    const GlobalVertex v{first + local};
    const Location location = own_location(graph, local);
    const std::int64_t expected = oracle.is_isolated(v) ? Components::none : labels[oracle.component_of(v)];
    ASSERT_EQ(components.label_at_owner(location), expected) << where << ", vertex " << raw(v);
    if (location.kind != Location::Kind::leaf) continue;
    const auto leaf = static_cast<std::uint32_t>(location.working);
    ASSERT_EQ(test_bit(components.leaves_in_main(), leaf), expected == Components::main) << where;
    leaves_by_label[expected].insert(leaf);
    in_pairs += oracle.components().vertices[oracle.component_of(v)] == 2 ? 1 : 0;
  }
  EXPECT_EQ(components.leaves_in_pairs(), in_pairs) << where;
  std::int64_t count = 0;
  std::int64_t largest = 0;
  std::int64_t largest_edges = 0;
  for (std::size_t c = 0; c < labels.size(); ++c) {
    const std::int64_t vertices = oracle.components().vertices[c];
    if (vertices == 1) continue;  // isolated
    ++count;
    const std::int64_t edges = oracle.components().edges[c];
    const TraversedEdges counted = components.edges_of(world, labels[c]);
    EXPECT_EQ(counted.without_self_loops, edges) << where << ", label " << labels[c];
    EXPECT_EQ(counted.self_loops, oracle.components().self_loops[c]) << where << ", label " << labels[c];
    if (vertices > largest || (vertices == largest && edges > largest_edges)) largest_edges = edges;
    largest = std::max(largest, vertices);
    if (labels[c] == Components::main) continue;
    std::set<std::uint32_t> outer;
    for (const Components::OuterLeaf& leaf : components.outer_leaves(labels[c])) outer.insert(leaf.leaf);
    EXPECT_EQ(outer, leaves_by_label[labels[c]]) << where << ", label " << labels[c];
  }
  EXPECT_EQ(components.count(), count) << where;
  EXPECT_EQ(components.largest_vertices(), largest) << where;
  EXPECT_EQ(components.largest_edges(), largest_edges) << where;
  EXPECT_EQ(components.edges_of(world, Components::none).without_self_loops, 0);
}

/// A component with a searched vertex can be the main one; a pair cannot.
std::size_t component_of_highest_degree(const Oracle& oracle) {
  std::size_t best = oracle.components().vertices.size();
  std::int64_t most = 0;
  for (std::int64_t v = 0; v < oracle.adjacency().num_vertices(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    if (oracle.adjacency().neighbours[i].size() < 2 || oracle.adjacency().endpoints[i] <= most) continue;
    most = oracle.adjacency().endpoints[i];
    best = oracle.component_of(GlobalVertex{v});
  }
  return best;
}

TEST(Components, AreThoseOfTheReferenceForEveryVertex) {
  std::size_t turn = 0;
  for (const SampleGraph& sample : graphs()) {
    const Oracle oracle(sample);
    const std::vector<GridShape> shapes = shapes_of(test::world().size());
    for (const GridShape shape : shapes) {
      // Now and then no component is main: then labels spread through all of them.
      const std::size_t main =
          turn++ % 3 == 2 ? oracle.components().vertices.size() : component_of_highest_degree(oracle);
      ASSERT_NO_FATAL_FAILURE(expect_components(sample, oracle, shape, main));
    }
  }
}

GraphFacts expected_facts(const SampleGraph& sample, const Oracle& oracle) {
  const reference::Adjacency& adjacency = oracle.adjacency();
  GraphFacts facts;
  facts.num_vertices = sample.num_vertices;
  facts.num_edges = static_cast<std::int64_t>(sample.edges.size());
  facts.self_loops = adjacency.num_self_loops();
  facts.distinct_edges = adjacency.num_distinct_edges();
  const auto degree = [&](std::size_t v) { return adjacency.neighbours[v].size(); };
  for (std::size_t v = 0; v < adjacency.neighbours.size(); ++v) {
    facts.isolated_vertices += degree(v) == 0 ? 1 : 0;
    facts.leaves += degree(v) == 1 ? 1 : 0;
    facts.max_degree_with_duplicates = std::max(facts.max_degree_with_duplicates, adjacency.endpoints[v]);
    if (degree(v) < 2) continue;
    ++facts.searched_vertices;
    facts.num_heavy += adjacency.endpoints[v] >= class_lower_bound[0] ? 1 : 0;
    for (const GlobalVertex neighbour : adjacency.neighbours[v]) {
      facts.stored_arcs += degree(static_cast<std::size_t>(raw(neighbour))) > 1 ? 1 : 0;
    }
  }
  for (std::size_t c = 0; c < oracle.components().vertices.size(); ++c) {
    const std::int64_t vertices = oracle.components().vertices[c];
    const std::int64_t edges = oracle.components().edges[c];
    if (vertices == 1) continue;
    ++facts.components;
    if (vertices > facts.largest_component_vertices) facts.largest_component_edges = 0;
    facts.largest_component_vertices = std::max(facts.largest_component_vertices, vertices);
    if (vertices == facts.largest_component_vertices)
      facts.largest_component_edges = std::max(facts.largest_component_edges, edges);
  }
  return facts;
}

TEST(GraphFacts, AreThoseOfTheReference) {
  for (const SampleGraph& sample : graphs()) {
    const Oracle oracle(sample);
    const GraphFacts expected = expected_facts(sample, oracle);
    for (const GridShape shape : shapes_of(test::world().size())) {
      const std::string where = sample.name + " on " + shape.text();
      Searched searched(sample, test::world(), shape);
      const GraphFacts& facts = searched.search().facts();
      EXPECT_EQ(facts.num_vertices, expected.num_vertices) << where;
      EXPECT_EQ(facts.num_edges, expected.num_edges) << where;
      EXPECT_EQ(facts.self_loops, expected.self_loops) << where;
      EXPECT_EQ(facts.distinct_edges, expected.distinct_edges) << where;
      EXPECT_EQ(facts.isolated_vertices, expected.isolated_vertices) << where;
      EXPECT_EQ(facts.leaves, expected.leaves) << where;
      EXPECT_EQ(facts.searched_vertices, expected.searched_vertices) << where;
      EXPECT_EQ(facts.stored_arcs, expected.stored_arcs) << where;
      EXPECT_EQ(facts.num_heavy, expected.num_heavy) << where;
      EXPECT_EQ(facts.max_degree_with_duplicates, expected.max_degree_with_duplicates) << where;
      EXPECT_EQ(facts.components, expected.components) << where;
      EXPECT_EQ(facts.largest_component_vertices, expected.largest_component_vertices) << where;
      EXPECT_EQ(facts.largest_component_edges, expected.largest_component_edges) << where;
      const int ranks = test::world().size();
      EXPECT_GE(facts.max_stored_arcs_per_rank * ranks, facts.stored_arcs) << where;
      EXPECT_LE(facts.max_stored_arcs_per_rank, facts.stored_arcs) << where;
      EXPECT_EQ(searched.search().partition().num_vertices(), sample.num_vertices);
    }
  }
}

TEST(LargestComponent, IsOfSeveralTheOneOfMostEdgesOnWhateverRank) {
  const int rank = test::world().rank();
  LargestComponent largest;
  largest.look_at({.endpoints = 40, .vertices = 4});
  largest.look_at({.endpoints = 20 + 2 * rank, .vertices = 7});
  largest.look_at({.endpoints = 18, .vertices = 7});
  largest.look_at({.endpoints = 60, .vertices = 6});
  EXPECT_EQ(largest.vertices(), 7);
  EXPECT_EQ(largest.edges(), 10 + rank);

  largest.agree(test::world());

  EXPECT_EQ(largest.vertices(), 7);
  EXPECT_EQ(largest.edges(), 10 + test::world().size() - 1);
}

TEST(GridSearch, TellsTheEdgesOfTheComponentOfAnyVertex) {
  const SampleGraph sample = test::archipelago(3, 60);
  const Oracle oracle(sample);
  std::vector<GlobalVertex> all;
  std::vector<char> expected_neighbours;
  for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
    all.push_back(GlobalVertex{v});
    expected_neighbours.push_back(oracle.is_isolated(all.back()) ? 0 : 1);
  }
  for (const GridShape shape : shapes_of(test::world().size())) {
    Searched searched(sample, test::world(), shape);
    EXPECT_EQ(searched.search().has_neighbour(all), expected_neighbours) << shape.text();
    EXPECT_TRUE(searched.search().has_neighbour({}).empty());
    for (const GlobalVertex v : all) {
      const TraversedEdges counted = searched.search().traversed_edges(v);
      const std::size_t c = oracle.component_of(v);
      EXPECT_EQ(counted.without_self_loops, oracle.components().edges[c])
          << shape.text() << ", vertex " << raw(v);
      // Isolated vertices are of no component here; nobody searches from them.
      const std::int64_t loops = oracle.is_isolated(v) ? 0 : oracle.components().self_loops[c];
      EXPECT_EQ(counted.self_loops, loops) << shape.text() << ", vertex " << raw(v);
    }
  }
}

}  // namespace
}  // namespace isobath
