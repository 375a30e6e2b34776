// SPDX-License-Identifier: Apache-2.0
// Rows by source against the plain way: a list for every column, filled row by row.
#include "graph/rows_by_source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;
using Lists = std::vector<std::vector<std::uint32_t>>;

Lists transposed(const Graph& graph) {
  Lists of_column(graph.layout.num_cols());
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
    for (const std::uint32_t col : graph.by_target.of(row)) of_column[col].push_back(row);
  }
  return of_column;
}

Lists lists_of(const Rows& rows) {
  Lists lists;
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    const auto of_row = rows.of(row);
    lists.emplace_back(of_row.begin(), of_row.end());
  }
  return lists;
}

Lists lists_of(const HypersparseRows& rows, std::size_t num_rows) {
  Lists lists;
  for (std::size_t row = 0; row < num_rows; ++row) {
    const auto of_row = rows.of(row);
    EXPECT_EQ(rows.existing().contains(row), !of_row.empty());
    lists.emplace_back(of_row.begin(), of_row.end());
  }
  return lists;
}

/// As construction has them where most rows have no arc, and columns are not hypersparse.
void make_rows_hypersparse(Graph& graph) {
  LargeArray<Word> has_arc(words_for(graph.layout.num_rows()));
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
    if (graph.by_target.length(row) != 0) set_bit(has_arc.span(), row);
  }
  graph.hypersparse_by_target = HypersparseRows(std::move(graph.by_target), PlacedBits(std::move(has_arc)));
  graph.has_hypersparse_rows = true;
}

LargeArray<std::uint32_t> used(std::size_t size) {
  LargeArray<std::uint32_t> room(size);
  std::ranges::fill(room, 0xdeadbeefU);
  return room;
}

TEST(RowsBySource, AreThoseByTargetTheOtherWayRound) {
  const std::vector<SampleGraph> graphs = {test::hubs_in_front(4001), test::archipelago(7, 500),
                                           test::random_multigraph(7, 1001, 4000, 3),
                                           test::random_multigraph(8, 1500, 150000, 3)};
  const int before = max_threads();
  int turn = 0;
  bool several_columns = false;
  std::array<bool, 2> met{};  // dealt by column; counted by column
  for (const SampleGraph& sample : graphs) {
    const SpanEdgeStream edges = test::share_of(sample, test::world().rank(), test::world().size());
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const Grid grid = Grid::arrange(test::world(), shape);
      for (const bool keep_duplicates : {false, true}) {
        set_num_threads(1 + turn++ % 3);
        PhaseObserver nobody;
        Graph graph = construct_graph(edges, test::world(), grid, nobody,
                                      {.keep_duplicates = keep_duplicates, .families = !keep_duplicates});
        if (shape.cols > 1) {
          several_columns = true;
          met[are_counted_by_column(graph.by_target.num_arcs(), graph.layout.num_cols()) ? 1 : 0] = true;
        }
        for (const std::size_t room :
             {std::size_t{0}, graph.by_target.num_arcs() / 2, std::size_t{1} << 20}) {
          EXPECT_TRUE(lists_of(rows_by_source(graph.by_target, graph.layout, grid, used(room))) ==
                      transposed(graph))
              << sample.name << " on " << shape.text() << ", " << max_threads() << " threads, room " << room;
        }
        if (shape.cols == 1) continue;
        const Lists expected = transposed(graph);
        make_rows_hypersparse(graph);
        build_rows_by_source(graph, grid, {});
        EXPECT_TRUE(lists_of(graph.by_source_stored) == expected)
            << sample.name << " on " << shape.text() << ", rows that exist";
        graph.has_hypersparse_cols = true;
        for (const unsigned at_a_time : {1U, 50U, 1000U, 1U << 25}) {
          build_rows_by_source(graph, grid, used(at_a_time == 50 ? 1 << 20 : 0), at_a_time);
          EXPECT_TRUE(lists_of(graph.hypersparse_by_source, graph.layout.num_cols()) == expected)
              << sample.name << " on " << shape.text() << ", " << at_a_time << " arcs of columns at a time";
        }
      }
    }
  }
  set_num_threads(before);
  EXPECT_EQ(met[0], several_columns);
  EXPECT_EQ(met[1], several_columns);
}

}  // namespace
}  // namespace isobath
