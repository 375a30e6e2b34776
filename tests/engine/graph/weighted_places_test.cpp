// SPDX-License-Identifier: Apache-2.0
// A weighted graph by places, against the one constructed with all rows and columns.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

/// Collective. Copies of an edge have weights of their own.
Graph constructed(const SampleGraph& sample, GridShape shape, const WeightedGraphOptions& options) {
  const Communicator& world = test::world();
  const auto [first, end] = edge_share(std::ssize(sample.edges), world.rank(), world.size());
  std::vector<float> weights;
  for (std::int64_t i = first; i < end; ++i) weights.push_back(static_cast<float>(i * 37 % 101));
  const auto mine = std::span(sample.edges).subspan(static_cast<std::size_t>(first), weights.size());
  const SpanWeightedEdgeStream edges(sample.num_vertices, mine, weights);
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  return construct_weighted_graph(edges, world, grid, nobody, options);
}

/// Arcs of a row by column.
std::vector<std::pair<std::uint32_t, float>> arcs_of(const Graph& graph, std::uint32_t row) {
  std::vector<std::pair<std::uint32_t, float>> arcs;
  if (!graph.weighted_rows.contains(row)) return arcs;
  graph.with_weighted_rows([&](const auto& rows) {
    for (const auto& [to, weight] : rows.of(graph.weighted_rows.place_of(row))) {
      arcs.emplace_back(graph.weighted_cols.index_at(to), weight);
    }
  });
  return arcs;
}

void expect_same_rows(const Graph& found, const Graph& all) {
  ASSERT_EQ(found.layout.row_offset, all.layout.row_offset);
  ASSERT_EQ(found.layout.col_offset, all.layout.col_offset);
  EXPECT_EQ(found.num_arcs(), all.num_arcs());
  for (std::uint32_t row = 0; row < all.layout.num_rows(); ++row) {
    ASSERT_EQ(arcs_of(found, row), arcs_of(all, row)) << "row " << row;
    std::vector<std::uint32_t> neighbours;
    found.for_each_neighbour(row, [&](std::uint32_t col) { neighbours.push_back(col); });
    ASSERT_EQ(neighbours.size(), arcs_of(all, row).size());
    for (const std::uint32_t col : neighbours) {
      ASSERT_EQ(found.column_original[found.weighted_cols.place_of(col)], all.column_original[col]) << col;
    }
  }
}

/// No array has an entry for what is not present.
void expect_entries_of_present(const Graph& graph) {
  EXPECT_TRUE(graph.is_weighted());
  EXPECT_EQ(graph.weighted.num_rows(), graph.weighted_rows.are_all() ? graph.weighted_rows.count() : 0);
  EXPECT_EQ(graph.compact_weighted.num_rows(),
            graph.weighted_rows.are_all() ? 0 : graph.weighted_rows.count());
  if (graph.weighted_cols.are_all()) return;
  EXPECT_EQ(graph.column_original.size(), graph.weighted_cols.count());
}

void expect_same_own(const Graph& found, const Graph& all) {
  for (std::uint32_t own = 0; own < all.layout.own_searched(); ++own) {
    const std::uint32_t col = all.layout.own_col() + own;
    ASSERT_TRUE(found.weighted_rows.contains(all.layout.own_row() + own));
    ASSERT_TRUE(found.weighted_cols.contains(col));
    ASSERT_EQ(found.column_original[found.weighted_cols.place_of(col)], all.column_original[col]);
  }
}

void expect_same_leaves(const Graph& found, const Graph& all) {
  EXPECT_TRUE(std::ranges::equal(found.leaves.weight.span(), all.leaves.weight.span()));
  const ToldLeaves& told = found.told_leaves;
  EXPECT_TRUE(std::ranges::equal(told.weight.span(), all.told_leaves.weight.span()));
  EXPECT_TRUE(std::ranges::equal(told.leaf.span(), all.told_leaves.leaf.span()));
  ASSERT_EQ(told.col.size(), all.told_leaves.col.size());
  for (std::size_t i = 0; i < told.col.size(); ++i) {
    const bool is_missing = all.told_leaves.col[i] == all.layout.missing_col();
    EXPECT_EQ(told.col[i], is_missing ? found.weighted_cols.count()
                                      : found.weighted_cols.place_of(all.told_leaves.col[i]));
  }
}

std::vector<SampleGraph> graphs_with_weights() {
  return {test::crowded_corner(1205),
          test::hub_in_every_block(),
          test::archipelago(5, 1401),
          test::with_copies(test::lattice(7, 9), 3),
          test::random_multigraph(5, 4000, 9000, 3),
          {"a pair among isolated vertices", 301, {Edge{GlobalVertex{8}, GlobalVertex{2}}}}};
}

TEST(WeightedPlaces, HaveWhatAllRowsAndColumnsHave) {
  const int threads = max_threads();
  int turn = 0;
  for (const SampleGraph& sample : graphs_with_weights()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      set_num_threads(1 + turn++ % 2);
      const Graph never = constructed(sample, shape, {.hypersparse = Hypersparse::never});
      EXPECT_TRUE(never.weighted_rows.are_all() && never.weighted_cols.are_all());
      for (const Hypersparse asked : {Hypersparse::by_count, Hypersparse::always}) {
        SCOPED_TRACE(sample.name + " on " + shape.text() +
                     (asked == Hypersparse::always ? ", always" : ", by count"));
        const Graph found = constructed(sample, shape, {.hypersparse = asked, .told_bytes = 1});
        if (asked == Hypersparse::always) {
          EXPECT_EQ(found.weighted_rows.are_all(), shape.cols == 1);
          EXPECT_EQ(found.weighted_cols.are_all(), shape.cols == 1);
        }
        ASSERT_NO_FATAL_FAILURE(expect_same_rows(found, never));
        ASSERT_NO_FATAL_FAILURE(expect_same_own(found, never));
        expect_entries_of_present(found);
        ASSERT_NO_FATAL_FAILURE(expect_same_leaves(found, never));
      }
    }
  }
  set_num_threads(threads);
}

/// Low parts of so few bits that high parts are needed: the graph is that of narrow positions.
TEST(WeightedPlaces, AreTheSameByWidePositions) {
  const int threads = max_threads();
  int turn = 0;
  for (const SampleGraph& sample : graphs_with_weights()) {
    const int bits = sample.num_vertices <= (1 << 11) ? 3 : 5;
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      set_num_threads(1 + turn++ % 2);
      const Graph narrow = constructed(sample, shape, {.hypersparse = Hypersparse::never});
      EXPECT_FALSE(narrow.column_original.are_wide());
      const bool is_wide =
          PositionForm(BlockPartition(sample.num_vertices, shape.size()), shape, bits).is_wide();
      for (const Hypersparse asked : {Hypersparse::never, Hypersparse::by_count, Hypersparse::always}) {
        SCOPED_TRACE(sample.name + " on " + shape.text());
        const Graph wide = constructed(sample, shape, {.hypersparse = asked, .position_bits = bits});
        EXPECT_EQ(wide.column_original.are_wide(), is_wide);
        if (sample.num_vertices > 100) {
          EXPECT_EQ(is_wide, shape.cols > 1);
        }
        ASSERT_NO_FATAL_FAILURE(expect_same_rows(wide, narrow));
        ASSERT_NO_FATAL_FAILURE(expect_same_own(wide, narrow));
        expect_entries_of_present(wide);
        ASSERT_NO_FATAL_FAILURE(expect_same_leaves(wide, narrow));
      }
    }
  }
  set_num_threads(threads);
}

TEST(WeightedPlaces, AreChosenByEachRankForItself) {
  const SampleGraph sample = test::crowded_corner(1205);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Graph graph = constructed(sample, shape, {.hypersparse = Hypersparse::by_count});
    const Grid grid = Grid::arrange(test::world(), shape);
    if (shape.cols == 1) {
      EXPECT_TRUE(graph.weighted_rows.are_all() && graph.weighted_cols.are_all()) << "rows are complete";
      continue;
    }
    expect_entries_of_present(graph);
    if (!graph.weighted_rows.are_all()) {
      EXPECT_LT(2 * graph.weighted_rows.count(), graph.layout.num_rows() + graph.layout.own_searched());
    }
    if (grid.row == 0) {
      EXPECT_TRUE(grid.row_comm.any(graph.weighted_rows.are_all())) << shape.text();
      EXPECT_TRUE(grid.row_comm.any(!graph.weighted_rows.are_all())) << shape.text();
    }
  }
}

}  // namespace
}  // namespace isobath
