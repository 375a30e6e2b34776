// SPDX-License-Identifier: Apache-2.0
// A graph constructed from what exists on each rank, against the one constructed with all rows and columns.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "graph/check_arcs.hpp"
#include "graph/constructed_sample.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath {
namespace {

using test::ConstructedSample;
using test::SampleGraph;

void expect_same_rows(const Graph& found, const Graph& all, const std::string& where) {
  found.with_rows_by_target([&](const auto& rows) {
    for (std::uint32_t row = 0; row < all.layout.num_rows(); ++row) {
      ASSERT_TRUE(std::ranges::equal(rows.of(row), all.by_target.of(row))) << where << ", row " << row;
      ASSERT_EQ(test_bit(found.rows_with_arc(), row), all.by_target.length(row) > 0) << where;
    }
  });
  EXPECT_EQ(found.num_arcs(), all.num_arcs()) << where;
}

void expect_same_columns(const Graph& found, const Graph& all, const std::string& where) {
  found.with_rows_by_source([&](const auto& columns) {
    for (std::uint32_t col = 0; col < all.layout.num_cols(); ++col) {
      ASSERT_TRUE(std::ranges::equal(columns.of(col), all.by_source().of(col)))
          << where << ", column " << col;
      if (columns.length(col) == 0) continue;
      ASSERT_EQ(found.column_original[columns.entry_of(col)], all.column_original[col]) << where;
    }
  });
  if (found.has_hypersparse_cols) return;
  ASSERT_EQ(found.column_original.size(), all.column_original.size()) << where;
  for (std::size_t col = 0; col < all.column_original.size(); ++col) {
    ASSERT_EQ(found.column_original[col], all.column_original[col]) << where << ", column " << col;
  }
}

void expect_same(const Graph& found, const Graph& all, const std::string& where) {
  ASSERT_EQ(found.layout.row_offset, all.layout.row_offset) << where;
  ASSERT_EQ(found.layout.col_offset, all.layout.col_offset) << where;
  EXPECT_TRUE(std::ranges::equal(found.numbering.code.span(), all.numbering.code.span())) << where;
  EXPECT_TRUE(std::ranges::equal(found.leaves.neighbour.span(), all.leaves.neighbour.span())) << where;
  EXPECT_EQ(found.self_loops_at, all.self_loops_at) << where;
  EXPECT_EQ(found.hubs.original.size(), all.hubs.original.size()) << where;
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(found, all, where));
  ASSERT_NO_FATAL_FAILURE(expect_same_columns(found, all, where));
}

std::vector<SampleGraph> graphs_to_construct() {
  return {test::crowded_corner(1205),
          test::hub_in_every_block(),
          test::archipelago(5, 1401),
          test::with_copies(test::lattice(7, 9), 3),
          {"a pair among isolated vertices", 301, {Edge{GlobalVertex{8}, GlobalVertex{2}}}}};
}

/// Whether every rank keeps what exists alone or each decides, with narrow positions, and wide ones of three
/// low bits. Threads and options take turns.
TEST(HypersparseConstruction, IsThatOfAllRowsAndColumns) {
  const int threads = max_threads();
  std::size_t first = 0;
  for (const SampleGraph& sample : graphs_to_construct()) {
    std::size_t turn = first++;
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      GraphOptions options{.hubs = turn % 3 != 0};
      options.numbering.leaves_out = turn % 4 != 1;
      options.numbering.relabel = turn % 4 != 2;
      set_num_threads(1 + static_cast<int>(turn++ % 2));
      const std::string where = sample.name + " on " + shape.text();
      const ConstructedSample never(sample, shape, options);
      for (const auto& [asked, position_bits] : {std::pair{Hypersparse::by_count, 0},
                                                 {Hypersparse::always, 0},
                                                 {Hypersparse::never, 3},
                                                 {Hypersparse::always, 3}}) {
        options.hypersparse = asked;
        options.position_bits = position_bits;
        const ConstructedSample found(sample, shape, options);
        EXPECT_EQ(found.graph.column_original.are_wide(), position_bits > 0 && shape.cols > 1) << where;
        const bool is_asked = asked == Hypersparse::always;
        if (is_asked) {
          EXPECT_EQ(found.graph.has_hypersparse_rows, shape.cols > 1) << where;
          EXPECT_EQ(found.graph.has_hypersparse_cols, shape.cols > 1) << where;
        }
        ASSERT_NO_FATAL_FAILURE(
            expect_same(found.graph, never.graph, where + (is_asked ? ", always" : ", by count")));
      }
    }
  }
  set_num_threads(threads);
}

/// Ranks with rows or columns that exist alone beside others, and the check of what they constructed: it
/// finds every arc, and misses one that no rank has.
TEST(HypersparseConstruction, RanksOfOneRunChooseDifferently) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::crowded_corner(1205);
  const auto arcs = 2 * reference::adjacency(sample.num_vertices, sample.edges).num_distinct_edges();
  for (const GridShape shape : test::shapes_of(world.size())) {
    const ConstructedSample by_count(sample, shape, {.hypersparse = Hypersparse::by_count});
    const Graph& graph = by_count.graph;
    const Grid& grid = by_count.grid;
    const bool rows_differ =
        grid.row_comm.any(graph.has_hypersparse_rows) && grid.row_comm.any(!graph.has_hypersparse_rows);
    const bool cols_differ =
        grid.col_comm.any(graph.has_hypersparse_cols) && grid.col_comm.any(!graph.has_hypersparse_cols);
    if (shape.cols > 1 && grid.row == 0) {
      EXPECT_TRUE(rows_differ) << shape.text();
    }
    if (shape.cols > 1 && grid.col == 0 && shape.rows > 1) {
      EXPECT_TRUE(cols_differ) << shape.text();
    }
    EXPECT_EQ(world.any(graph.had_few_codes), shape.cols > 1) << shape.text();
    const ArcCheck check = check_arcs(graph, 0, by_count.edges, world, grid);
    EXPECT_EQ(check.missing_arcs, 0) << shape.text();
    EXPECT_EQ(check.stored_arcs, arcs) << shape.text();
    EXPECT_EQ(check.met_arcs, arcs) << shape.text();

    SampleGraph more =
        sample;  // between vertices that have no arc on most ranks, and one that has none at all
    more.edges.push_back({GlobalVertex{300}, GlobalVertex{301}});
    more.edges.push_back({GlobalVertex{2}, GlobalVertex{1000}});
    const ArcCheck with_more =
        check_arcs(graph, 0, test::share_of(more, world.rank(), world.size()), world, grid);
    EXPECT_EQ(with_more.missing_arcs, 4) << shape.text();
    EXPECT_EQ(with_more.first_missing, (Edge{GlobalVertex{2}, GlobalVertex{1000}})) << shape.text();
    EXPECT_EQ(with_more.met_arcs, arcs) << shape.text();
  }
}

}  // namespace
}  // namespace isobath
