// SPDX-License-Identifier: Apache-2.0
// What a search sends, phase by phase, against closed forms (docs/explanation/bfs.md).
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_search.hpp"
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

/// Adds up what this rank sends in each phase.
class TrafficByPhase final : public SearchObserver {
 public:
  explicit TrafficByPhase(const SearchPlan& plan) : plan_(plan), last_(plan.traffic()) {}
  void phase(Phase begun) override {
    close();
    now_ = begun;
  }
  void level_started(Level, Direction direction, std::int64_t frontier) override {
    close();
    ++levels_;
    is_bottom_up_.push_back(direction == Direction::bottom_up);
    frontiers_.push_back(frontier);
  }
  void close() {
    const Traffic traffic = plan_.traffic();
    by_phase_[static_cast<std::size_t>(now_)] += traffic - last_;
    last_ = traffic;
  }
  const Traffic& of(Phase phase) const { return by_phase_[static_cast<std::size_t>(phase)]; }
  std::int64_t levels() const { return levels_; }
  const std::vector<char>& is_bottom_up() const { return is_bottom_up_; }
  const std::vector<std::int64_t>& frontiers() const { return frontiers_; }

 private:
  const SearchPlan& plan_;
  Traffic last_;
  Phase now_ = Phase::start;
  std::array<Traffic, num_phases> by_phase_{};
  std::int64_t levels_ = 0;
  std::vector<char> is_bottom_up_;
  std::vector<std::int64_t> frontiers_;
};

/// The layout that a plan on this grid has; the plan keeps it to itself.
GridLayout layout_of(const SampleGraph& sample, GridShape shape) {
  const Communicator& world = test::world();
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  return construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody).layout;
}

/// Nothing packed, counts before data, and no leaf known beforehand: the closed forms are the simplest.
Switches plain_switches() {
  return switches_for("hybrid", {{"hubs", "off"},
                                 {"exchange", "alltoallv"},
                                 {"frontier", "list"},
                                 {"fold", "plain"},
                                 {"likely-parents", "off"}});
}

GlobalVertex searched_root(const Oracle& oracle) {
  for (const GlobalVertex root : oracle.roots(8)) {
    if (oracle.adjacency().neighbours[static_cast<std::size_t>(raw(root))].size() > 1) return root;
  }
  return no_vertex;
}

TEST(Traffic, IsNoneOnOneRank) {
  const SampleGraph sample = test::kronecker_graph(9, 16);
  const Oracle oracle(sample);
  const Communicator self = test::world().split(test::world().rank(), 0);
  Searched alone(sample, self, {1, 1});
  for (const GlobalVertex root : oracle.roots(8)) {
    TrafficByPhase told(alone.search());
    alone.parents(root, told);
    told.close();
    for (std::size_t p = 0; p < num_phases; ++p) {
      EXPECT_EQ(told.of(static_cast<Phase>(p)).bytes_sent, 0) << phase_names[p];
      EXPECT_EQ(told.of(static_cast<Phase>(p)).messages, 0) << phase_names[p];
    }
  }
}

TEST(Traffic, OfEmitIsNoneWhereParentsAreLikely) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::kronecker_graph(11, 8);
  const GlobalVertex root = searched_root(Oracle(sample));  // of the main component
  for (const GridShape shape : shapes_of(world.size())) {
    Searched searched(sample, world, shape);
    TrafficByPhase told(searched.search());
    searched.search().search(root, told);
    told.close();
    EXPECT_EQ(told.of(Phase::emit).bytes_sent, 0) << shape.text();
    EXPECT_EQ(told.of(Phase::emit).messages, 0) << shape.text();
  }
}

/// Bottom-up all the way. Expand: the own bits to the other ranks of the grid column. Rotate: every piece of
/// the row bitmap once to the next rank of the grid row. Fold: counts, and 8 bytes for each vertex found by
/// another than its owner. Reduce: what was found, and its arcs, in one message to each of the grid row and
/// to each of the grid column.
TEST(Traffic, OfBottomUpLevelsHasAClosedForm) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::kronecker_graph(11, 8);
  const Oracle oracle(sample);
  const GlobalVertex root = searched_root(oracle);
  for (const GridShape shape : shapes_of(world.size())) {
    const GridLayout layout = layout_of(sample, shape);
    const std::int64_t rows = shape.rows;
    const std::int64_t cols = shape.cols;
    Searched searched(sample, world, shape, test::always_bottom_up, plain_switches());
    TrafficByPhase told(searched.search());
    searched.search().search(root, told);
    told.close();
    const std::int64_t levels = told.levels() - 1;  // the last is not searched
    const auto own_bytes = static_cast<std::int64_t>(layout.own_words() * sizeof(Word));
    const auto row_bytes = static_cast<std::int64_t>(layout.row_words() * sizeof(Word));
    const std::int64_t met = rows - 1 + cols - 1;  // the others of the grid row, then those of the column
    EXPECT_EQ(told.of(Phase::expand).bytes_sent, levels * own_bytes * (rows - 1)) << shape.text();
    EXPECT_EQ(told.of(Phase::bottom_up).bytes_sent, 0) << shape.text();
    EXPECT_EQ(told.of(Phase::top_down).bytes_sent, 0) << shape.text();
    EXPECT_EQ(told.of(Phase::adopt).bytes_sent, 0) << shape.text();
    EXPECT_EQ(told.of(Phase::reduce).bytes_sent, levels * 16 * met) << shape.text();
    EXPECT_EQ(told.of(Phase::reduce).messages, levels * met) << shape.text();
    if (layout.rows_are_complete()) {
      EXPECT_EQ(told.of(Phase::rotate).bytes_sent, 0) << shape.text();
      EXPECT_EQ(told.of(Phase::fold).bytes_sent, 0) << shape.text();
      // Leaves ask whether their neighbour was reached: one expand more.
      EXPECT_EQ(told.of(Phase::emit).bytes_sent, own_bytes * (rows - 1)) << shape.text();
    } else {
      EXPECT_EQ(told.of(Phase::rotate).bytes_sent, levels * row_bytes) << shape.text();
      EXPECT_LE(told.of(Phase::rotate).messages, levels * cols * 2) << shape.text();
      EXPECT_EQ(told.of(Phase::emit).bytes_sent, 0) << shape.text();
      EXPECT_EQ(told.of(Phase::count).bytes_sent, levels * 8 * (cols - 1)) << shape.text();
      const std::int64_t proposals = world.sum(told.of(Phase::fold).bytes_sent);
      std::int64_t found = -1;  // the root was not found
      for (const std::int64_t frontier : told.frontiers()) found += frontier;
      EXPECT_EQ(proposals % 8, 0) << shape.text();
      EXPECT_GT(proposals, 0) << shape.text();
      EXPECT_LE(proposals, 8 * found) << shape.text();
    }
  }
}

/// Top-down all the way. Expand: 4 bytes for each own frontier vertex, and its count, to the grid column,
/// but not of the root, which everybody knows, nor in the last level, which finds nothing.
/// Fold: 8 bytes a proposal, at most one per rank of the grid row and target.
TEST(Traffic, OfTopDownLevelsHasAClosedForm) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::kronecker_graph(10, 8);
  const Oracle oracle(sample);
  const GlobalVertex root = searched_root(oracle);
  for (const GridShape shape : shapes_of(world.size())) {
    const std::int64_t rows = shape.rows;
    const std::int64_t cols = shape.cols;
    Searched searched(sample, world, shape, test::always_top_down, plain_switches());
    TrafficByPhase told(searched.search());
    searched.search().search(root, told);
    told.close();
    const std::int64_t levels = told.levels() - 1;  // the last is not searched
    std::int64_t expanded = -1;                     // nor is the root expanded
    for (const std::int64_t frontier : told.frontiers()) expanded += frontier;
    expanded -= told.frontiers().back();
    const std::int64_t expand = world.sum(told.of(Phase::expand).bytes_sent);
    const std::int64_t expected =
        rows == 1 ? 0 : (levels - 1) * 8 * (rows - 1) * world.size() + 4 * expanded * (rows - 1);
    EXPECT_EQ(expand, expected) << shape.text();
    EXPECT_EQ(told.of(Phase::top_down).bytes_sent, 0) << shape.text();
    EXPECT_EQ(told.of(Phase::rotate).bytes_sent, 0) << shape.text();
    if (cols == 1) {
      EXPECT_EQ(told.of(Phase::fold).bytes_sent, 0) << shape.text();
      continue;
    }
    EXPECT_EQ(told.of(Phase::count).bytes_sent, levels * 8 * (cols - 1)) << shape.text();
    const std::int64_t proposals = world.sum(told.of(Phase::fold).bytes_sent) / 8;
    EXPECT_GT(proposals, 0) << shape.text();
    // Each rank proposes a target once in the whole search, and its owner is one of the ranks of the grid
    // row.
    EXPECT_LE(proposals, (cols - 1) * searched.search().facts().searched_vertices) << shape.text();
  }
}

}  // namespace
}  // namespace isobath
