// SPDX-License-Identifier: Apache-2.0
// The searchable graph against vectors of vectors: every arc where the layout says, in original numbering, on
// every grid.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/endpoints.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath {
namespace {

using test::SampleGraph;
using Arcs = std::vector<std::pair<std::int64_t, std::int64_t>>;  // source, target in original numbering

/// A graph on one grid, with what is needed to name its rows and columns in original numbering.
struct Constructed {
  /// @param position_bits  5: wide positions, where there are several grid columns
  Constructed(const SampleGraph& sample, GridShape shape, int position_bits = 0)
      : grid(Grid::arrange(test::world(), shape)),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        graph(construct_graph(edges, test::world(), grid, nobody, {.position_bits = position_bits})),
        codes(gather_codes(graph.layout, graph.numbering, grid)) {
    original_of_col.assign(graph.layout.num_cols(), -1);
    for (std::size_t i = 0; i < codes.col.of_all().size(); ++i) {
      if (codes.col[i] < Numbering::leaf)
        original_of_col[codes.col[i]] = graph.layout.first_col_original() + static_cast<std::int64_t>(i);
    }
    original_of_row.assign(graph.layout.num_rows(), -1);
    std::size_t at = 0;
    for (int piece = 0; piece < shape.cols; ++piece) {
      const int block = graph.layout.block_of_row_piece(piece);
      for (std::int64_t local = 0; local < graph.layout.blocks.size(block); ++local, ++at) {
        if (codes.row[at] < Numbering::leaf)
          original_of_row[codes.row[at]] = graph.layout.blocks.first(block) + local;
      }
    }
    EXPECT_EQ(at, codes.row.of_all().size());
  }

  Grid grid;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
  GridCodes codes;
  std::vector<std::int64_t> original_of_col;
  std::vector<std::int64_t> original_of_row;
};

/// The arcs between searched vertices that the layout puts on this rank.
Arcs expected_arcs(const reference::Adjacency& adjacency, const GridLayout& layout) {
  Arcs arcs;
  const auto is_searched = [&](std::int64_t v) {
    return adjacency.neighbours[static_cast<std::size_t>(v)].size() > 1;
  };
  for (std::int64_t s = 0; s < adjacency.num_vertices(); ++s) {
    if (!is_searched(s) || layout.shape.col_of(layout.blocks.block_of(GlobalVertex{s})) != layout.grid_col())
      continue;
    for (const GlobalVertex t : adjacency.neighbours[static_cast<std::size_t>(s)]) {
      if (is_searched(raw(t)) && layout.shape.row_of(layout.blocks.block_of(t)) == layout.grid_row())
        arcs.push_back({s, raw(t)});
    }
  }
  return arcs;
}

void expect_rows_hold(const Constructed& c, const Arcs& expected) {
  const Graph& graph = c.graph;
  Arcs by_target;
  ASSERT_EQ(graph.by_target.num_rows(), graph.layout.num_rows());
  const HeavyFirst columns(graph.layout.col_offset);
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
    const auto cols = graph.by_target.of(row);
    for (std::size_t k = 0; k < cols.size(); ++k) {
      by_target.push_back({c.original_of_col[cols[k]], c.original_of_row[row]});
      if (k > 0) {
        ASSERT_LT(columns.key_of(cols[k - 1]), columns.key_of(cols[k])) << "heavy vertices first";
      }
    }
  }
  std::ranges::sort(by_target);
  ASSERT_EQ(by_target, expected);

  Arcs by_source;
  ASSERT_EQ(graph.by_source().num_rows(), graph.layout.num_cols());
  for (std::uint32_t col = 0; col < graph.layout.num_cols(); ++col) {
    const auto targets = graph.by_source().of(col);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      by_source.push_back({c.original_of_col[col], c.original_of_row[targets[k]]});
      if (k > 0) {
        ASSERT_LT(targets[k - 1], targets[k]);
      }
    }
  }
  std::ranges::sort(by_source);
  ASSERT_EQ(by_source, expected);
}

/// Planes, bits and originals say what the rows say.
void expect_streams_repeat_the_rows(const Constructed& c) {
  const Graph& graph = c.graph;
  const GridLayout& layout = graph.layout;
  for (std::uint32_t row = 0; row < layout.num_rows(); ++row) {
    const auto cols = graph.by_target.of(row);
    for (std::size_t k = 0; k < num_planes; ++k) {
      ASSERT_EQ(graph.plane[k][row], k < cols.size() ? cols[k] : layout.missing_col());
    }
    ASSERT_EQ(test_bit(graph.has_arc.span(), row), !cols.empty());
    ASSERT_EQ(test_bit(graph.has_more.span(), row), cols.size() > num_planes);
  }
  for (std::uint32_t col = 0; col < layout.num_cols(); ++col) {
    if (c.original_of_col[col] < 0) continue;  // padding
    ASSERT_EQ(layout.first_col_original() + std::int64_t{graph.column_original[col]}, c.original_of_col[col]);
  }
}

void expect_leaves(const Constructed& c, const reference::Adjacency& adjacency) {
  const Graph& graph = c.graph;
  const GridLayout& layout = graph.layout;
  const std::int64_t first = layout.blocks.first(layout.rank);
  std::uint32_t leaf = 0;
  for (std::int64_t local = 0; local < layout.blocks.size(layout.rank); ++local) {
    const auto v = static_cast<std::size_t>(first + local);
    const auto& neighbours = adjacency.neighbours[v];
    if (neighbours.size() != 1) continue;
    const bool is_pair = adjacency.neighbours[static_cast<std::size_t>(raw(neighbours[0]))].size() == 1;
    ASSERT_LT(leaf, graph.numbering.leaves());
    ASSERT_EQ(graph.leaves.neighbour[leaf], raw(neighbours[0]));
    ASSERT_EQ(graph.leaves.endpoints[leaf], adjacency.endpoints[v]);
    if (layout.rows_are_complete()) {
      const std::uint32_t col = graph.leaves.neighbour_col[leaf];
      if (is_pair) {
        ASSERT_EQ(col, layout.missing_col());
      } else {
        ASSERT_EQ(c.original_of_col[col], raw(neighbours[0]));
      }
      ASSERT_EQ(layout.first_col_original() + std::int64_t{graph.leaves.neighbour_offset[leaf]},
                raw(neighbours[0]));
    }
    ++leaf;
  }
  ASSERT_EQ(graph.numbering.leaves(), leaf);
}

void expect_constructed(const SampleGraph& sample, const reference::Adjacency& adjacency, GridShape shape,
                        int position_bits) {
  const Constructed c(sample, shape, position_bits);
  const std::string where = sample.name + " on " + shape.text();
  const GridLayout& layout = c.graph.layout;
  ASSERT_EQ(layout.shape, shape);
  ASSERT_EQ(c.graph.num_edges, static_cast<std::int64_t>(sample.edges.size())) << where;
  ASSERT_EQ(c.graph.self_loops, adjacency.num_self_loops()) << where;
  ASSERT_NO_FATAL_FAILURE(expect_rows_hold(c, expected_arcs(adjacency, layout))) << where;
  ASSERT_NO_FATAL_FAILURE(expect_streams_repeat_the_rows(c)) << where;
  ASSERT_NO_FATAL_FAILURE(expect_leaves(c, adjacency)) << where;
  const Numbering& numbering = c.graph.numbering;
  for (std::uint32_t t = 0; t < numbering.searched(); ++t) {
    const auto v = static_cast<std::size_t>(layout.blocks.first(layout.rank) + numbering.original[t]);
    ASSERT_EQ(numbering.degree[t], adjacency.endpoints[v]) << where;
  }
}

TEST(ConstructGraph, StoresEveryArcOnceWhereTheLayoutSays) {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(9, 16));
  graphs.push_back(test::random_multigraph(1, 5003, 20000, 6));
  graphs.push_back(test::archipelago(2, 900));
  const int threads = max_threads();
  int turn = 0;
  for (const SampleGraph& sample : graphs) {
    const reference::Adjacency adjacency = reference::adjacency(sample.num_vertices, sample.edges);
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      set_num_threads(1 + turn % 2);
      expect_constructed(sample, adjacency, shape, turn / 2 % 2 == 0 ? 0 : 5);
      ++turn;
    }
  }
  set_num_threads(threads);
}

/// Who contributes which edge, and in which order, makes no difference.
TEST(ConstructGraph, IsTheSameWhateverTheOrderOfTheEdges) {
  const SampleGraph sample = test::kronecker_graph(8, 8);
  SampleGraph other = sample;
  std::ranges::reverse(other.edges);
  std::ranges::rotate(other.edges, other.edges.begin() + 777);
  for (auto& [u, v] : other.edges) std::swap(u, v);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Constructed a(sample, shape);
    const Constructed b(other, shape);
    EXPECT_TRUE(std::ranges::equal(a.graph.by_target.neighbour.span(), b.graph.by_target.neighbour.span()));
    EXPECT_TRUE(std::ranges::equal(a.graph.by_target.start.span(), b.graph.by_target.start.span()));
    EXPECT_TRUE(std::ranges::equal(a.graph.numbering.code.span(), b.graph.numbering.code.span()));
    EXPECT_TRUE(std::ranges::equal(a.graph.leaves.neighbour.span(), b.graph.leaves.neighbour.span()));
  }
}

/// Vertex 0 has copies of one edge, whose other end is its own rank's or, last of all, another grid column's:
/// there a rank meets them that does not own the vertex. All ranks refuse; one that went on would wait.
TEST(ConstructGraph, RefusesMoreCopiesThanItCounts) {
  const Communicator& world = test::world();
  const std::int64_t n = 4 * std::int64_t{world.size()};
  constexpr auto most = static_cast<std::int64_t>(Endpoint::max_copies);
  for (const GridShape shape : test::shapes_of(world.size())) {
    const Grid grid = Grid::arrange(world, shape);
    const auto construct = [&](std::int64_t copies, std::int64_t other) {
      const auto [first, end] = edge_share(copies + 1, world.rank(), world.size());
      const test::FormulaEdgeStream edges(n, first, end, [&](std::int64_t k) {  // and one edge to a third
        return k < copies ? Edge{GlobalVertex{other}, GlobalVertex{0}}
                          : Edge{GlobalVertex{0}, GlobalVertex{2}};
      });
      PhaseObserver nobody;
      return construct_graph(edges, world, grid, nobody);
    };
    for (const std::int64_t other : {std::int64_t{1}, n - 1}) {
      const Graph graph = construct(most, other);
      if (world.rank() == 0) {
        EXPECT_EQ(graph.numbering.degree[0], most + 1) << shape.text();
      }
      try {
        construct(most + 1, other);
        ADD_FAILURE() << "one copy too many, on " << shape.text();
      } catch (const RefusedError& error) {
        EXPECT_STREQ(error.what(), "a vertex has more than 524,287 copies of an edge; drop copies first");
      }
    }
  }
}

TEST(Locate, TellsEveryRankWhereAVertexStands) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::random_multigraph(3, 60, 45);
  const reference::Adjacency adjacency = reference::adjacency(sample.num_vertices, sample.edges);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const Constructed c(sample, shape);
    const Numbering& numbering = c.graph.numbering;
    for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
      const Location location = locate(c.graph, world, GlobalVertex{v});
      const auto& neighbours = adjacency.neighbours[static_cast<std::size_t>(v)];
      EXPECT_EQ(location.owner, c.graph.layout.blocks.block_of(GlobalVertex{v}));
      const bool is_mine = location.owner == world.rank();
      const std::int64_t local = v - c.graph.layout.blocks.first(world.rank());
      if (neighbours.empty()) {
        EXPECT_EQ(location.kind, Location::Kind::isolated);
      } else if (neighbours.size() == 1) {
        EXPECT_EQ(location.kind, Location::Kind::leaf);
        EXPECT_EQ(location.neighbour, raw(neighbours[0]));
        EXPECT_TRUE(!is_mine || numbering.leaf_original[static_cast<std::size_t>(location.working)] == local);
      } else {
        EXPECT_EQ(location.kind, Location::Kind::searched);
        EXPECT_TRUE(!is_mine || numbering.original[static_cast<std::size_t>(location.working)] == local);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
