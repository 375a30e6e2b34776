// SPDX-License-Identifier: Apache-2.0
// Codes of the originals that occur on a rank, against those of all.
#include "graph/original_codes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "graph/codes.hpp"
#include "graph/construct_steps.hpp"
#include "graph/deliver_arcs.hpp"
#include "graph/sample_graphs.hpp"
#include "graph/with_arc.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

std::vector<SampleGraph> graphs_to_number() {
  return {test::crowded_corner(603),
          test::archipelago(5, 401),
          test::random_multigraph(4, 997, 700, 3),
          {"a pair among isolated vertices", 301, {Edge{GlobalVertex{8}, GlobalVertex{2}}}},
          {"seven vertices, no edge", 7, {}}};
}

/// Whether each original of a grid column, or of a grid row, has an arc on this rank: by the list of edges.
struct Occurring {
  Occurring(const SampleGraph& sample, const GridLayout& layout)
      : col(static_cast<std::size_t>(layout.col_span())), row(static_cast<std::size_t>(layout.row_span())) {
    const ArcRouter router(layout);
    for (const Edge& edge : sample.edges) {
      if (edge.u == edge.v) continue;
      for (const auto& [s, t] : {edge, Edge{edge.v, edge.u}}) {
        const auto [rank, arc] = router.route(s, t);
        if (rank != layout.rank) continue;
        col[arc.source] = true;
        row[arc.target] = true;
      }
    }
  }
  std::vector<bool> col;
  std::vector<bool> row;
};

bool are_few(const std::vector<bool>& occurring) {
  return 4 * std::ranges::count(occurring, true) < std::ssize(occurring);
}

SparseMembers members_of(const std::vector<bool>& occurring) {
  LargeArray<Word> bits(words_for(occurring.size()));
  for (std::size_t i = 0; i < occurring.size(); ++i) {
    if (occurring[i]) set_bit(bits.span(), i);
  }
  return SparseMembers(bits.span());
}

/// A graph up to its codes.
struct NumberedOn {
  NumberedOn(const SampleGraph& sample, GridShape shape, Hypersparse hypersparse)
      : grid(Grid::arrange(test::world(), shape)),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        arcs(deliver_arcs(edges, test::world(), shape,
                          BlockPartition(sample.num_vertices, test::world().size()))),
        numbered(number_graph(edges, test::world(), grid, nobody, {.hypersparse = hypersparse}, &arcs)) {}
  const GridCodes& codes() const { return numbered.codes; }
  const Graph& graph() const { return numbered.graph; }

  Grid grid;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  OriginalArcs arcs;
  NumberedGraph numbered;
};

/// Of what occurs the code that all have; of the rest none, where only what occurs has one.
void expect_same(const OriginalCodes& found, const OriginalCodes& all, const std::vector<bool>& occurring,
                 const std::string& where) {
  ASSERT_EQ(all.of_all().size(), occurring.size()) << where;
  for (std::size_t i = 0; i < occurring.size(); ++i) {
    const bool has_code = found.are_of_all() || occurring[i];
    ASSERT_EQ(found[i], has_code ? all[i] : Numbering::isolated) << where << ", position " << i;
  }
  if (!found.are_of_all()) {
    EXPECT_EQ(found.by_place().size(), static_cast<std::size_t>(std::ranges::count(occurring, true)))
        << where;
  }
}

/// Every rank for itself, row and column apart, whatever the others do: neighbours in a grid row, and in a
/// grid column, take turns.
TEST(OriginalCodes, OfWhatOccursAreThoseOfAll) {
  unsigned turn = 0;
  for (const SampleGraph& sample : graphs_to_number()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      if (shape.size() == 1) continue;  // the numbering's own
      const std::string where = sample.name + " on " + shape.text();
      const NumberedOn never(sample, shape, Hypersparse::never);
      const Occurring occurring(sample, never.graph().layout);
      const bool few_cols = (turn + static_cast<unsigned>(never.grid.row)) % 2 == 0;
      const bool few_rows = (turn / 2 + static_cast<unsigned>(never.grid.col)) % 2 == 0;
      ++turn;
      OccurringOriginals here;
      if (few_cols) here.col = members_of(occurring.col);
      if (few_rows) here.row = members_of(occurring.row);
      const GridCodes codes =
          gather_codes(never.graph().layout, never.graph().numbering, never.grid, std::move(here));
      EXPECT_EQ(codes.col.are_of_all(), !few_cols) << where;
      EXPECT_EQ(codes.row.are_of_all(), !few_rows) << where;
      ASSERT_NO_FATAL_FAILURE(expect_same(codes.col, never.codes().col, occurring.col, where + ", columns"));
      ASSERT_NO_FATAL_FAILURE(expect_same(codes.row, never.codes().row, occurring.row, where + ", rows"));
    }
  }
}

/// Construction finds what occurs by itself.
TEST(OriginalCodes, AreOfWhatOccursWhereThatIsFewerThanAQuarter) {
  const int threads = max_threads();
  int turn = 0;
  for (const SampleGraph& sample : graphs_to_number()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      if (shape.size() == 1) continue;
      set_num_threads(1 + turn++ % 2);
      const std::string where = sample.name + " on " + shape.text();
      const NumberedOn never(sample, shape, Hypersparse::never);
      const NumberedOn by_count(sample, shape, Hypersparse::by_count);
      const NumberedOn always(sample, shape, Hypersparse::always);
      const Occurring occurring(sample, never.graph().layout);
      EXPECT_TRUE(never.codes().col.are_of_all() && never.codes().row.are_of_all()) << where;
      EXPECT_EQ(by_count.codes().col.are_of_all(), shape.cols == 1 || !are_few(occurring.col)) << where;
      EXPECT_EQ(by_count.codes().row.are_of_all(), shape.cols == 1 || !are_few(occurring.row)) << where;
      EXPECT_EQ(always.codes().col.are_of_all(), shape.cols == 1) << where;
      EXPECT_EQ(always.codes().row.are_of_all(), shape.cols == 1) << where;
      for (const NumberedOn* each : {&by_count, &always}) {
        ASSERT_NO_FATAL_FAILURE(
            expect_same(each->codes().col, never.codes().col, occurring.col, where + ", columns"));
        ASSERT_NO_FATAL_FAILURE(
            expect_same(each->codes().row, never.codes().row, occurring.row, where + ", rows"));
      }
    }
  }
  set_num_threads(threads);
}

/// Of one grid row and one grid column.
TEST(OriginalCodes, RanksOfOneRunChooseDifferently) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;
    const NumberedOn by_count(test::crowded_corner(603), shape, Hypersparse::by_count);
    const bool rows_of_all = by_count.codes().row.are_of_all();
    const bool cols_of_all = by_count.codes().col.are_of_all();
    const Grid& grid = by_count.grid;
    const bool rows_differ = grid.row_comm.any(rows_of_all) && grid.row_comm.any(!rows_of_all);
    const bool cols_differ = grid.col_comm.any(cols_of_all) && grid.col_comm.any(!cols_of_all);
    if (grid.row == 0) {
      EXPECT_TRUE(rows_differ) << shape.text();
    }
    if (grid.col == 0 && shape.rows > 1) {
      EXPECT_TRUE(cols_differ) << shape.text();
    }
  }
}

/// Some bits suffice to say that they are not few: one thread ends with the range that has the last of them,
/// here of one target.
TEST(WithArc, EndsWhereEnoughHaveOne) {
  const int threads = max_threads();
  set_num_threads(1);
  const SampleGraph sample = test::kronecker_graph(8, 8);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.size() == 1) continue;
    const NumberedOn never(sample, shape, Hypersparse::never);
    const Occurring occurring(sample, never.graph().layout);
    const DealtArcs& dealt = never.arcs.dealt();
    const auto compare = [&](const LargeArray<Word>& bits, const std::vector<bool>& all, std::size_t enough) {
      const auto set = count_bits(bits.span());
      const auto in_all = static_cast<std::size_t>(std::ranges::count(all, true));
      for_each_bit(bits.span(), [&](std::size_t at) { EXPECT_TRUE(all[at]) << shape.text(); });
      EXPECT_GE(set, std::min(enough, in_all)) << shape.text();
      return set - std::min(enough, in_all);
    };
    for (const std::size_t enough : {std::size_t{1}, std::size_t{20}, std::size_t{1} << 40}) {
      compare(sources_with_arc(dealt, occurring.col.size(), enough), occurring.col, enough);
      const auto too_many =
          compare(targets_with_arc(dealt, occurring.row.size(), enough), occurring.row, enough);
      EXPECT_EQ(too_many, 0U) << shape.text();
    }
  }
  set_num_threads(threads);
}

}  // namespace
}  // namespace isobath
