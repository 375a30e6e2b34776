// SPDX-License-Identifier: Apache-2.0
// What owners tell of their columns against what the rank of all edges would list, in one round and in
// several.
#include "graph/rows_of_owners.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/arena.hpp"
#include "base/threads.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

/// (column, row) of every arc that is stored here, in order: the plain way.
std::vector<std::pair<std::uint32_t, std::uint32_t>> turned(const Graph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
    for (const std::uint32_t col : graph.by_target.of(row)) arcs.emplace_back(col, row);
  }
  std::ranges::sort(arcs);
  return arcs;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> listed(const Rows& columns) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (std::size_t col = 0; col < columns.num_rows(); ++col) {
    for (const std::uint32_t row : columns.of(col)) arcs.emplace_back(static_cast<std::uint32_t>(col), row);
  }
  return arcs;
}

TEST(RowsOfOwners, AreTheArcsOfThisRankByColumn) {
  // The second has several rounds on up to three ranks.
  const std::vector<SampleGraph> graphs = {
      test::hubs_in_front(301), test::random_multigraph(9, 3000, 900000, 3), test::crowded_corner(2000)};
  const Grid grid = Grid::arrange(test::world(), {test::world().size(), 1});
  const int before = max_threads();
  int turn = 0;
  for (const SampleGraph& sample : graphs) {
    const SpanEdgeStream edges = test::share_of(sample, test::world().rank(), test::world().size());
    set_num_threads(1 + turn++ % 3);
    PhaseObserver nobody;
    const Graph graph = construct_graph(edges, test::world(), grid, nobody, {.families = true});
    ASSERT_TRUE(graph.layout.rows_are_complete());
    const std::size_t arcs = graph.by_target.num_arcs();
    for (const std::size_t room : {std::size_t{0}, arcs / 2, arcs + 100}) {
      LargeArray<std::uint32_t> used(room);
      std::ranges::fill(used, 0xdeadbeefU);
      EXPECT_TRUE(listed(rows_told_by_owners(graph.by_target, graph.layout, grid.col_comm,
                                             std::move(used))) == turned(graph))
          << sample.name << ", room " << room;
    }
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace isobath
