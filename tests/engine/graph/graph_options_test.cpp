// SPDX-License-Identifier: Apache-2.0
// The graph as the published partitionings store it: own numbering, leaves in, duplicates kept. Compared, arc
// by arc with their multiplicity, with the edge list itself.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
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
using ArcPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;  // source, target

constexpr GraphOptions as_published{
    .numbering = {.relabel = false, .leaves_out = false}, .keep_duplicates = true, .streams = false};

/// The original number of a row or column, from the layout alone: numbers are the vertices' own.
std::int64_t original(const GridLayout& layout, const std::vector<std::uint32_t>& offset, bool is_row,
                      std::uint32_t index) {
  int piece = 0;
  while (index >= offset[static_cast<std::size_t>(piece) + 1]) ++piece;
  const int block = is_row ? layout.block_of_row_piece(piece) : layout.block_of_col_piece(piece);
  return layout.blocks.first(block) + index - offset[static_cast<std::size_t>(piece)];
}

ArcPairs arcs_by_target(const Graph& graph) {
  ArcPairs arcs;
  const GridLayout& layout = graph.layout;
  for (std::uint32_t row = 0; row < layout.num_rows(); ++row) {
    graph.with_rows_by_target([&](const auto& rows) {
      for (const std::uint32_t col : rows.of(row)) {
        arcs.emplace_back(original(layout, layout.col_offset, false, col),
                          original(layout, layout.row_offset, true, row));
      }
    });
  }
  std::ranges::sort(arcs);
  return arcs;
}

ArcPairs arcs_by_source(const Graph& graph) {
  ArcPairs arcs;
  const GridLayout& layout = graph.layout;
  for (std::uint32_t col = 0; col < layout.num_cols(); ++col) {
    graph.with_rows_by_source([&](const auto& columns) {
      for (const std::uint32_t row : columns.of(col)) {
        arcs.emplace_back(original(layout, layout.col_offset, false, col),
                          original(layout, layout.row_offset, true, row));
      }
    });
  }
  std::ranges::sort(arcs);
  return arcs;
}

/// Both arcs of every edge that is no self-loop, where the layout puts them.
ArcPairs arcs_of_list(const SampleGraph& sample, const GridLayout& layout, bool keep_duplicates) {
  ArcPairs arcs;
  for (const auto& [u, v] : sample.edges) {
    if (u == v) continue;
    for (const auto& [s, t] : {Edge{u, v}, Edge{v, u}}) {
      if (layout.shape.col_of(layout.blocks.block_of(s)) == layout.grid_col() &&
          layout.shape.row_of(layout.blocks.block_of(t)) == layout.grid_row()) {
        arcs.emplace_back(raw(s), raw(t));
      }
    }
  }
  std::ranges::sort(arcs);
  if (!keep_duplicates) arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

std::vector<SampleGraph> optioned_samples() {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(8, 16));
  graphs.push_back(test::random_multigraph(1, 97, 3000));  // mostly duplicates
  graphs.push_back(test::archipelago(2, 600));
  graphs.push_back(test::joined_to_the_front(200));
  return graphs;
}

TEST(GraphOptions, AsPublishedEveryArcOfTheListIsStoredUnderItsOwnNumbers) {
  for (const SampleGraph& sample : optioned_samples()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      for (const bool keep : {true, false}) {
        GraphOptions options = as_published;
        options.keep_duplicates = keep;
        const ConstructedSample c(sample, shape, options);
        const ArcPairs expected = arcs_of_list(sample, c.graph.layout, keep);
        EXPECT_EQ(arcs_by_target(c.graph), expected) << sample.name << " on " << shape.text();
        EXPECT_EQ(arcs_by_source(c.graph), expected) << sample.name << " on " << shape.text();
        if (!keep) {
          options.hypersparse = Hypersparse::always;  // as no plan has it, but the same arcs
          const ConstructedSample existing(sample, shape, options);
          EXPECT_EQ(existing.graph.has_hypersparse_rows, shape.cols > 1);
          EXPECT_EQ(existing.graph.has_hypersparse_cols, shape.cols > 1);
          EXPECT_EQ(arcs_by_target(existing.graph), expected) << sample.name << " on " << shape.text();
          EXPECT_EQ(arcs_by_source(existing.graph), expected) << sample.name << " on " << shape.text();
        }
        const Numbering& numbering = c.graph.numbering;
        EXPECT_EQ(std::int64_t{numbering.searched()}, numbering.num_originals);
        EXPECT_EQ(numbering.leaves(), 0U);
        for (std::uint32_t v = 0; v < numbering.searched(); ++v) {
          ASSERT_EQ(numbering.code[v], v);
          ASSERT_EQ(numbering.original[v], v);
        }
      }
    }
  }
}

/// Rows or columns with an arc, counted, against the searched vertices that they are.
bool most_have_none(const Rows& rows, std::size_t all) {
  std::size_t with_arc = 0;
  for (std::size_t row = 0; row < rows.num_rows(); ++row) with_arc += rows.length(row) > 0 ? 1U : 0U;
  return 2 * with_arc < all;
}

TEST(GraphOptions, RowsAndColumnsAreHypersparseWhereFewerThanHalfHaveAnArc) {
  std::int64_t hypersparse[] = {0, 0};  // rows, columns
  for (const SampleGraph& sample : optioned_samples()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const std::string where = sample.name + " on " + shape.text();
      const ConstructedSample c(sample, shape, {});
      const ConstructedSample by_count(sample, shape, {.hypersparse = Hypersparse::by_count});
      const Graph& all = c.graph;
      const GridLayout& layout = all.layout;
      std::size_t rows = 0;
      std::size_t cols = 0;
      for (int piece = 0; piece < shape.cols; ++piece) {
        rows += layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))];
      }
      for (int piece = 0; piece < shape.rows; ++piece) {
        cols += layout.searched[static_cast<std::size_t>(layout.block_of_col_piece(piece))];
      }
      const bool of_rows = shape.cols > 1 && most_have_none(all.by_target, rows);
      const bool of_cols = shape.cols > 1 && most_have_none(all.by_source(), cols);
      EXPECT_EQ(by_count.graph.has_hypersparse_rows, of_rows) << where;
      EXPECT_EQ(by_count.graph.has_planes(), !of_rows) << where;
      EXPECT_EQ(by_count.graph.has_hypersparse_cols, of_cols) << where;
      EXPECT_FALSE(all.has_hypersparse_rows || all.has_hypersparse_cols) << "nobody asked for it";
      hypersparse[0] += of_rows ? 1 : 0;
      hypersparse[1] += of_cols ? 1 : 0;
    }
  }
  test::world().sum(std::span<std::int64_t>(hypersparse));
  if (test::world().size() > 3) {  // there are grids of several rows and columns
    EXPECT_GT(hypersparse[0], 0) << "no sample shows rows";
    EXPECT_GT(hypersparse[1], 0) << "no sample shows columns";
  }
}

/// Ranks of one graph choose by what each of them has.
TEST(GraphOptions, OfOneGraphSomeRanksAreHypersparseAndOthersNot) {
  const SampleGraph sample = test::joined_to_the_front(601);
  GraphOptions options = as_published;
  options.keep_duplicates = false;
  options.hypersparse = Hypersparse::by_count;
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const ConstructedSample c(sample, shape, options);
    const GridLayout& layout = c.graph.layout;
    EXPECT_EQ(c.graph.has_hypersparse_rows, layout.grid_col() > 0) << shape.text();
    EXPECT_EQ(c.graph.has_hypersparse_cols, shape.cols > 1 && layout.grid_row() > 0) << shape.text();
    const ArcPairs expected = arcs_of_list(sample, layout, false);
    EXPECT_EQ(arcs_by_target(c.graph), expected) << shape.text();
    EXPECT_EQ(arcs_by_source(c.graph), expected) << shape.text();
  }
}

TEST(GraphOptions, IsolatedVerticesAreKnownThoughTheyHaveNumbers) {
  const SampleGraph sample = test::random_multigraph(3, 60, 45);
  const reference::Adjacency adjacency = reference::adjacency(sample.num_vertices, sample.edges);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const ConstructedSample c(sample, shape, as_published);
    std::int64_t isolated = 0;
    for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
      const bool is_isolated = adjacency.neighbours[static_cast<std::size_t>(v)].empty();
      const Location location = locate(c.graph, test::world(), GlobalVertex{v});
      EXPECT_EQ(location.kind, is_isolated ? Location::Kind::isolated : Location::Kind::searched);
      isolated += is_isolated ? 1 : 0;
    }
    EXPECT_EQ(test::world().sum(c.graph.numbering.isolated_vertices()), isolated);
  }
}

void expect_check_meets_every_copy(const SampleGraph& sample, GridShape shape, const GraphOptions& options) {
  const std::string where = sample.name + " on " + shape.text();
  std::int64_t edges = 0;
  for (const auto& [u, v] : sample.edges) edges += u == v ? 0 : 1;
  const ConstructedSample c(sample, shape, options);
  const ArcCheck check = check_arcs(c.graph, 0, c.edges, test::world(), c.grid);
  EXPECT_EQ(check.missing_arcs, 0) << where;
  EXPECT_EQ(check.met_arcs, check.stored_arcs) << where;
  EXPECT_EQ(check.stored_arcs, 2 * edges) << where;
  // The list with one edge more, a copy of one it has: the copy is not stored.
  SampleGraph more = sample;
  const auto arc = std::ranges::find_if(sample.edges, [](const Edge& edge) { return edge.u != edge.v; });
  if (arc == sample.edges.end()) return;
  more.edges.push_back(*arc);
  const auto longer = test::share_of(more, test::world().rank(), test::world().size());
  EXPECT_EQ(check_arcs(c.graph, 0, longer, test::world(), c.grid).missing_arcs, 2) << where;
  // A shorter list does not meet every stored copy.
  SampleGraph less = sample;
  less.edges.erase(less.edges.begin() + (arc - sample.edges.begin()));
  const auto shorter = test::share_of(less, test::world().rank(), test::world().size());
  const ArcCheck lacking = check_arcs(c.graph, 0, shorter, test::world(), c.grid);
  EXPECT_LT(lacking.met_arcs, lacking.stored_arcs) << where;
}

TEST(GraphOptions, TheCheckMeetsEveryCopyAndMissesAnyThatIsLost) {
  std::size_t first = 0;
  for (const SampleGraph& sample : optioned_samples()) {
    std::size_t turn = first++;  // each shape has both in turn, however many shapes there are
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      GraphOptions options = as_published;
      options.hypersparse = turn++ % 2 == 0 ? Hypersparse::never : Hypersparse::always;
      expect_check_meets_every_copy(sample, shape, options);
    }
  }
}

}  // namespace
}  // namespace isobath
