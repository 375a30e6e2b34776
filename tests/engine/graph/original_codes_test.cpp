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
  NumberedOn(const SampleGraph& sample, GridShape shape, Hypersparse hypersparse, int position_bits = 0)
      : grid(Grid::arrange(test::world(), shape)),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        arcs(deliver_arcs(
            edges, test::world(), shape, BlockPartition(sample.num_vertices, test::world().size()),
            PositionForm(BlockPartition(sample.num_vertices, test::world().size()), shape, position_bits))),
        numbered(number_graph(edges, test::world(), grid, nobody,
                              {.hypersparse = hypersparse, .position_bits = position_bits}, &arcs)) {}
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
      const EndRange sources{.first = 0, .end = occurring.col.size(), .all = occurring.col.size()};
      const EndRange targets{.first = 0, .end = occurring.row.size(), .all = occurring.row.size()};
      compare(sources_with_arc(dealt, sources, enough), occurring.col, enough);
      const auto too_many = compare(targets_with_arc(dealt, targets, enough), occurring.row, enough);
      EXPECT_EQ(too_many, 0U) << shape.text();
    }
  }
  set_num_threads(threads);
}

/// The arcs of a rank as construction of a weighted graph has them.
template <class Ends>
PieceList<Weighted<Ends>> weighted_arcs(const SampleGraph& sample, const GridLayout& layout) {
  PieceList<Weighted<Ends>> arcs;
  const ArcRouter router(layout);
  for (const Edge& edge : sample.edges) {
    if (edge.u == edge.v) continue;
    for (const auto& [s, t] : {edge, Edge{edge.v, edge.u}}) {
      const auto [rank, ends] = router.route<Ends>(s, t);
      if (rank == layout.rank) arcs.add(weighted(ends, 1.0F));
    }
  }
  return arcs;
}

/// Graphs of which few originals occur on a rank, and many; of several blocks of SparseMembers.
std::vector<SampleGraph> graphs_to_mark() {
  return {test::random_multigraph(4, 3001, 300, 3), test::kronecker_graph(11, 2)};
}

/// All forms of arcs, their sources and their targets; `mark` of each, against what occurs by the edges.
template <class Visit>
void for_each_kind_of_end(Visit&& visit) {
  for (const SampleGraph& sample : graphs_to_mark()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      if (shape.size() == 1) continue;
      const NumberedOn never(sample, shape, Hypersparse::never);
      const Occurring occurring(sample, never.graph().layout);
      const DealtArcs& dealt = never.arcs.dealt();
      const PieceList<RowArc> narrow_weighted = weighted_arcs<RoutedArc>(sample, never.graph().layout);
      const PieceList<WideRowArc> wide_weighted = weighted_arcs<WideArc>(sample, never.graph().layout);
      const std::string where = sample.name + " on " + shape.text();
      const auto of_sources = [&](const auto& arcs, const char* form) {
        visit([&](EndRange range, std::size_t enough) { return sources_with_arc(arcs, range, enough); },
              occurring.col, where + ", sources of " + form);
      };
      const auto of_targets = [&](const auto& arcs, const char* form) {
        visit([&](EndRange range, std::size_t enough) { return targets_with_arc(arcs, range, enough); },
              occurring.row, where + ", targets of " + form);
      };
      const NumberedOn wide(sample, shape, Hypersparse::never, 5);
      EXPECT_EQ(wide.graph().positions.is_wide(), shape.cols > 1);
      of_sources(wide.arcs.dealt(), "dealt wide arcs");
      of_targets(wide.arcs.dealt(), "dealt wide arcs");
      of_sources(dealt, "dealt arcs");
      of_targets(dealt, "dealt arcs");
      of_sources(narrow_weighted, "weighted arcs");
      of_targets(narrow_weighted, "weighted arcs");
      of_sources(wide_weighted, "wide weighted arcs");
      of_targets(wide_weighted, "wide weighted arcs");
    }
  }
}

/// A range has the bits that all have there, wherever it begins and ends.
TEST(WithArc, OfARangeAreThoseOfAll) {
  for_each_kind_of_end(
      [](const MarkEnds& mark, const std::vector<bool>& occurring, const std::string& where) {
        const std::size_t all = occurring.size();
        for (const auto& [first, end] : {std::pair{std::size_t{0}, all},
                                         {0, all / 2},
                                         {37, all / 2 + 5},
                                         {all / 2, all},
                                         {all - 1, all},
                                         {all / 3, all / 3 + 64},
                                         {9, 9}}) {
          const LargeArray<Word> bits = mark({.first = first, .end = end, .all = all}, all + 1);
          ASSERT_EQ(bits.size(), words_for(end - first)) << where;
          for (std::size_t i = 0; i < bits.size() * word_bits; ++i) {
            const bool is_marked = first + i < end && occurring[first + i];
            ASSERT_EQ(test_bit(bits.span(), i), is_marked) << where << ": " << i << " from " << first;
          }
        }
      });
}

/// Ranges after the other give the members, and the answer whether they are few, that bits of all give.
TEST(WithArc, MembersOfRangesAreThoseOfAll) {
  for_each_kind_of_end(
      [](const MarkEnds& mark, const std::vector<bool>& occurring, const std::string& where) {
        const std::size_t all = occurring.size();
        const auto count = static_cast<std::size_t>(std::ranges::count(occurring, true));
        for (const std::size_t at_a_time : {std::size_t{256}, std::size_t{768}, ends_at_a_time(0)}) {
          const auto by_count = members_if_few(Hypersparse::by_count, all, at_a_time, mark);
          const auto always = members_if_few(Hypersparse::always, all, at_a_time, mark);
          EXPECT_EQ(by_count.has_value(), are_few(occurring)) << where;
          ASSERT_TRUE(always.has_value()) << where;
          for (const auto* members : {&by_count, &always}) {
            if (!*members) continue;
            ASSERT_EQ((*members)->count(), count) << where;
            EXPECT_EQ((*members)->words(), words_for(all)) << where;
            std::size_t place = 0;
            for (std::size_t i = 0; i < all; ++i) {
              ASSERT_EQ((*members)->place_of(i), occurring[i] ? place++ : count) << where << ": " << i;
            }
          }
        }
      });
}

/// Passes over the arcs are bounded by ends and arcs; few ends have one.
TEST(WithArc, PassesLookAtEachArcOnceAndAtOneMoreForEachEnd) {
  constexpr std::size_t few = std::size_t{1} << 29;
  EXPECT_EQ(ends_at_a_time(0), few);
  EXPECT_EQ(ends_at_a_time(few), few);
  EXPECT_EQ(ends_at_a_time(few + 1), few + SparseMembers::block_size);
  for (const std::size_t arcs : {std::size_t{5}, few + 77, 3 * few}) {
    for (const std::size_t ends : {std::size_t{9}, few, 7 * few + 3, 100 * few}) {
      const std::size_t passes = (ends + ends_at_a_time(arcs) - 1) / ends_at_a_time(arcs);
      EXPECT_LE(passes * arcs, arcs + ends);
    }
  }
}

}  // namespace
}  // namespace isobath
