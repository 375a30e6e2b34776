// SPDX-License-Identifier: Apache-2.0
// The two halves of a search on a grid, each alone and both together, against Dijkstra's search.
#include "sssp/grid_paths.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/dijkstra.hpp"
#include "sssp/grid_climb.hpp"
#include "sssp/grid_descent.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath {
namespace {

using test::WeightedGraph;

/// What construction makes of this rank's share of a sample, and what the twin says of it. Collective.
struct GridSample {
  GridSample(const WeightedGraph& wanted, GridShape wanted_shape, const WeightedGraphOptions& options = {})
      : sample(wanted),
        shape(wanted_shape),
        grid(Grid::arrange(test::world(), wanted_shape)),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        graph(construct_weighted_graph(edges, test::world(), grid, nobody, options)) {}

  /// By own working number.
  std::vector<float> expected(GlobalVertex root) const {
    const std::vector<float> all =
        reference::dijkstra(
            reference::weighted_adjacency(sample.graph.num_vertices, sample.graph.edges, sample.weights),
            root)
            .distances;
    std::vector<float> own;
    for (std::uint32_t v = 0; v < graph.layout.own_searched(); ++v) {
      own.push_back(all[static_cast<std::size_t>(graph.layout.blocks.first(test::world().rank()) +
                                                 graph.numbering.original[v])]);
    }
    return own;
  }
  /// Where a search from `root` begins, and how far from it. A leaf's begins at its neighbour.
  std::pair<Location, float> start_of(GlobalVertex root) const {
    const Location at = locate(graph, test::world(), root);
    if (at.kind != Location::Kind::leaf) return {at, 0};
    float weight = 0;
    for (std::size_t i = 0; i < sample.weights.size(); ++i) {
      const auto [u, v] = sample.graph.edges[i];
      if (u != v && (u == root || v == root)) weight = sample.weights[i];  // of a leaf there is one
    }
    return {locate(graph, test::world(), GlobalVertex{at.neighbour}), weight};
  }
  std::vector<GlobalVertex> roots() const {
    std::vector<GlobalVertex> found;
    for (const GlobalVertex root : test::path_roots(sample, 3)) {
      if (start_of(root).first.kind == Location::Kind::searched) found.push_back(root);
    }
    return found;
  }
  std::string name(GlobalVertex root) const {
    return fmt::format("{} on {}, root {}", sample.graph.name, shape.text(), raw(root));
  }

  const WeightedGraph& sample;
  GridShape shape;
  Grid grid;
  SpanWeightedEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
};

std::vector<float> own_distances(const TentativePaths& paths) {
  return {paths.distances().begin(), paths.distances().end()};
}

std::vector<WeightedGraph> samples_without_hubs() {
  return {test::weighted(test::lattice(4, 6), test::Weighing::uniform),
          test::weighted(test::random_multigraph(3, 150, 600), test::Weighing::coarse),
          test::weighted(test::archipelago(7, 120), test::Weighing::uniform)};
}
/// Hubs of some hundred end points.
std::vector<WeightedGraph> samples_with_hubs() {
  return {test::weighted(test::random_multigraph(11, 600, 4000, 3), test::Weighing::uniform),
          test::weighted(test::random_multigraph(12, 400, 3000, 3), test::Weighing::coarse)};
}

TEST(GridClimb, GoesAllTheWayWithoutHubsWhateverTheBuckets) {
  for (const WeightedGraph& sample : samples_without_hubs()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape);
      TentativePaths paths(made.graph);
      GridClimb climb(made.graph, made.grid, paths);
      for (std::uint32_t v = 0; v < made.graph.layout.own_searched(); ++v) EXPECT_FALSE(climb.is_hub(v));
      for (const GlobalVertex root : made.roots()) {
        const auto [start, distance] = made.start_of(root);
        for (const double delta : {0.1, 100.0}) {
          SearchObserver nobody;
          int round = 0;
          paths.reset();
          const PathTurn turn = climb.climb(start, distance, {.delta = delta}, nobody, round);
          EXPECT_EQ(turn.least_source, unreached) << made.name(root) << ": nothing is left to relax";
          EXPECT_GE(round, 1);
          EXPECT_EQ(own_distances(paths), made.expected(root)) << made.name(root) << ", delta " << delta;
        }
      }
    }
  }
}

/// Of a rank's 1,300 vertices no more than 170 are told in a round, 128 where positions are wide.
TEST(GridClimb, GoesAllTheWayHoweverFewAreToldAtOnce) {
  const std::int64_t n = 1300 * test::world().size();
  for (const test::Weighing weighing : {test::Weighing::uniform, test::Weighing::none}) {
    const WeightedGraph sample = test::weighted(test::random_multigraph(3, n, 4 * n), weighing);
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const int position_bits = weighing == test::Weighing::none ? 5 : 0;
      const GridSample made(
          sample, shape,
          {.hypersparse = Hypersparse::always, .told_bytes = 1, .position_bits = position_bits});
      EXPECT_EQ(made.graph.positions.is_wide(), position_bits > 0 && shape.cols > 1);
      TentativePaths paths(made.graph);
      GridClimb climb(made.graph, made.grid, paths);
      const GlobalVertex root = made.roots().front();
      const auto [start, distance] = made.start_of(root);
      for (const double delta : {0.1, 100.0}) {
        SearchObserver nobody;
        int round = 0;
        paths.reset();
        climb.climb(start, distance, {.delta = delta}, nobody, round);
        EXPECT_EQ(own_distances(paths), made.expected(root)) << made.name(root) << ", delta " << delta;
      }
    }
  }
}

/// What it says is settled is; beyond that nobody is too near.
void expect_right_turns(const WeightedGraphOptions& options) {
  for (const WeightedGraph& sample : samples_with_hubs()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape, options);
      TentativePaths paths(made.graph);
      GridClimb climb(made.graph, made.grid, paths);
      GridDescent descent(made.graph, made.grid, paths);
      for (const GlobalVertex root : made.roots()) {
        const auto [start, distance] = made.start_of(root);
        const std::vector<float> expected = made.expected(root);
        bool turned = false;
        for (const float radius : {0.0F, 0.2F}) {
          SearchObserver nobody;
          int round = 0;
          paths.reset();
          const PathTurn turn =
              climb.climb(start, distance, {.delta = 0.05, .core_radius = radius}, nobody, round);
          for (std::size_t v = 0; v < expected.size(); ++v) {
            EXPECT_GE(paths.distances()[v], expected[v]) << made.name(root);
            if (paths.distances()[v] < turn.settled) {
              EXPECT_EQ(paths.distances()[v], expected[v]) << made.name(root);
            }
          }
          if (!(turn.least_source < unreached)) continue;  // a component without hubs
          turned = true;
          descent.descend(turn, nobody, round);
          EXPECT_EQ(own_distances(paths), expected) << made.name(root) << ", core radius " << radius;
          int elsewhere = 0;
          paths.for_each_parent_elsewhere([&](std::uint32_t, int) { ++elsewhere; });
          EXPECT_EQ(elsewhere, 0) << "all have heard of their parents";
        }
        EXPECT_TRUE(turned) << made.name(root) << ": these graphs have hubs";
      }
    }
  }
}

TEST(GridClimb, TurnsAtHubsAndLeavesTheRestToTheDescent) { expect_right_turns({}); }

/// Sources of offers, and parents that are asked for, have high bits.
TEST(GridClimb, TurnsAtHubsByWidePositions) {
  expect_right_turns({.position_bits = 3});
  expect_right_turns({.hypersparse = Hypersparse::always, .position_bits = 4});
}

TEST(GridClimb, KnowsHubsByTheirEndPoints) {
  for (const WeightedGraph& sample : samples_with_hubs()) {
    std::vector<std::uint64_t> endpoints(static_cast<std::size_t>(sample.graph.num_vertices));
    for (const auto& [u, v] : sample.graph.edges) {
      if (u == v) continue;
      ++endpoints[static_cast<std::size_t>(raw(u))];
      ++endpoints[static_cast<std::size_t>(raw(v))];
    }
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape);
      TentativePaths paths(made.graph);
      const GridClimb climb(made.graph, made.grid, paths);
      std::int64_t hubs = 0;
      for (std::uint32_t v = 0; v < made.graph.layout.own_searched(); ++v) {
        const std::int64_t original =
            made.graph.layout.blocks.first(test::world().rank()) + made.graph.numbering.original[v];
        EXPECT_EQ(climb.is_hub(v), endpoints[static_cast<std::size_t>(original)] >= 256) << original;
        hubs += climb.is_hub(v) ? 1 : 0;
      }
      EXPECT_GT(test::world().sum(hubs), 0) << sample.graph.name;
    }
  }
}

/// Without any climb: the root alone is lowered, and sweeps find all others.
TEST(GridDescent, FindsEverythingFromTheRootAlone) {
  std::vector<WeightedGraph> samples = samples_with_hubs();
  for (WeightedGraph& sample : samples_without_hubs()) samples.push_back(std::move(sample));
  for (const WeightedGraph& sample : samples) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape);
      TentativePaths paths(made.graph);
      GridDescent descent(made.graph, made.grid, paths);
      for (const GlobalVertex root : made.roots()) {
        const auto [start, distance] = made.start_of(root);
        SearchObserver nobody;
        int round = 0;
        paths.reset();
        if (start.owner == test::world().rank()) {
          const auto own = static_cast<std::uint32_t>(start.working);
          paths.lower_from_column(own, distance, paths.own_col() + own);
        }
        descent.descend({.least_source = 0, .settled = 0}, nobody, round);
        EXPECT_EQ(own_distances(paths), made.expected(root)) << made.name(root);
      }
    }
  }
}

/// Every rank lowers every third of its vertices, by its own number: the columns hear of theirs.
void expect_told(const WeightedGraph& sample, const WeightedGraphOptions& options) {
  const Communicator& world = test::world();
  for (const GridShape shape : test::shapes_of(world.size())) {
    const GridSample made(sample, shape, options);
    TentativePaths paths(made.graph);
    GridDescent descent(made.graph, made.grid, paths);
    const GridLayout& layout = made.graph.layout;
    SearchObserver nobody;
    paths.reset();
    const auto distance_of = [](int rank, std::uint32_t own) {
      return own % 3 == 0 ? static_cast<float>(1 + rank) + 10 * static_cast<float>(own) : unreached;
    };
    std::int64_t lowered = 0;
    float least = unreached;
    for (int rank = 0; rank < world.size(); ++rank) {
      for (std::uint32_t own = 0; own < layout.searched[static_cast<std::size_t>(rank)]; own += 3) {
        ++lowered;
        least = std::min(least, distance_of(rank, own));
        if (rank == world.rank()) {
          paths.lower_from_column(own, distance_of(rank, own), paths.own_col() + own);
        }
      }
    }
    const LoweredVertices told = descent.tell(nobody);
    EXPECT_EQ(told.count, lowered) << shape.text();
    EXPECT_EQ(told.least, least) << shape.text();
    for (int piece = 0; piece < shape.rows; ++piece) {
      const int rank = layout.block_of_col_piece(piece);
      for (std::uint32_t own = 0; own < layout.searched[static_cast<std::size_t>(rank)]; ++own) {
        const std::uint32_t col = layout.col_offset[static_cast<std::size_t>(piece)] + own;
        const PresentIndices& cols = made.graph.weighted_cols;
        EXPECT_TRUE(cols.contains(col) || (rank != world.rank() && !cols.are_all()));
        if (!cols.contains(col)) continue;
        EXPECT_EQ(paths.known()[cols.place_of(col)], distance_of(rank, own))
            << shape.text() << ", vertex " << own << " of rank " << rank;
      }
    }
  }
}

TEST(GridDescent, TellsTheGridColumnWhoWasLowered) {
  const std::int64_t side = 23 * test::world().size();
  for (const WeightedGraph& sample :
       {test::weighted(test::lattice(9, 11), test::Weighing::uniform),
        test::weighted(test::lattice(side, 41), test::Weighing::uniform)}) {  // several windows
    for (const Hypersparse kept : {Hypersparse::never, Hypersparse::always}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 26}) {
        expect_told(sample, {.hypersparse = kept, .told_bytes = bytes});
      }
    }
  }
}

/// Of coarse weights many are zero: one of sixteen vertices is as near as the hub itself, which makes no
/// core.
TEST(GridPaths, AgreeWithTheTwinBeforeAndAfterTheCoreIsChosen) {
  const std::vector<WeightedGraph> samples = samples_with_hubs();
  for (const WeightedGraph& sample : samples) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape);
      GridPaths paths(made.graph, test::world(), made.grid, 0);
      SearchObserver nobody;
      const std::vector<GlobalVertex> roots = made.roots();
      ASSERT_FALSE(roots.empty());
      for (const bool has_core : {false, true}) {
        EXPECT_EQ(paths.core_radius() > 0, has_core && &sample == &samples.front()) << sample.graph.name;
        EXPECT_EQ(test::world().max(paths.core_radius()), paths.core_radius()) << "ranks would part";
        for (const GlobalVertex root : roots) {
          const auto [start, distance] = made.start_of(root);
          paths.search(start, distance, nobody);
          EXPECT_EQ(own_distances(paths.found()), made.expected(root)) << made.name(root);
        }
        paths.choose_core();
      }
      paths.reset();
      EXPECT_TRUE(std::ranges::all_of(paths.found().distances(), [](float d) { return d == unreached; }));
    }
  }
}

TEST(GridPaths, HaveNoCoreWithoutHubs) {
  for (const WeightedGraph& sample : samples_without_hubs()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const GridSample made(sample, shape);
      GridPaths paths(made.graph, test::world(), made.grid, 0);
      SearchObserver nobody;
      for (const GlobalVertex root : made.roots()) {
        const auto [start, distance] = made.start_of(root);
        paths.search(start, distance, nobody);
        paths.choose_core();
        EXPECT_EQ(paths.core_radius(), 0) << made.name(root);
        EXPECT_EQ(own_distances(paths.found()), made.expected(root)) << made.name(root);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
