// SPDX-License-Identifier: Apache-2.0
// A list that names every edge several times, from either end, is the same graph: every level goes the same
// way.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

struct Told {
  std::vector<Direction> directions;
  std::vector<std::int64_t> frontiers;
};

/// What is told of the levels of the searches from each root, one after the other.
Told levels_of(const SampleGraph& graph, const std::vector<GlobalVertex>& roots, GridShape shape,
               const test::Policy& policy) {
  struct Listener final : SearchObserver {
    void level_started(Level, Direction direction, std::int64_t frontier_vertices) override {
      told.directions.push_back(direction);
      told.frontiers.push_back(frontier_vertices);
    }
    Told told;
  };
  test::Searched searched(graph, test::world(), shape, policy);
  Listener listener;
  for (const GlobalVertex root : roots) searched.search().search(root, listener);
  return listener.told;
}

TEST(CopiesOfEdges, ChangeNoDirection) {
  const SampleGraph once = test::listed_once(test::kronecker_graph(8, 4));
  const SampleGraph again = test::with_copies(once, 4);
  const std::vector<GlobalVertex> roots = test::Oracle(once).roots(4);
  // A level of a twentieth to a fifth of the arcs would turn if its arcs were counted four times and all arcs
  // once.
  const test::Policy policy{"by arcs alone", 5, 1e-12};
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Told expected = levels_of(once, roots, shape, policy);
    EXPECT_GT(std::ranges::count(expected.directions, Direction::bottom_up), 0) << shape.text();
    EXPECT_GT(std::ranges::count(expected.directions, Direction::top_down), 0) << shape.text();
    const Told told = levels_of(again, roots, shape, policy);
    EXPECT_EQ(told.directions, expected.directions) << shape.text();
    EXPECT_EQ(told.frontiers, expected.frontiers) << shape.text();
  }
}

}  // namespace
}  // namespace isobath
