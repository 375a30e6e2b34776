// SPDX-License-Identifier: Apache-2.0
// Fold, and the scan that proposes what is folded.
#include "bfs/hybrid/fold.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"
#include "bfs/hybrid/scan_columns.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

Switches with_form(FoldForm form) {
  Switches switches = default_switches("hybrid");
  switches.fold = form;
  return switches;
}

bool proposes(std::uint32_t target, int grid_col) {
  return (target + static_cast<std::uint32_t>(grid_col)) % 3 == 0;
}
std::uint32_t source_of(const GridLayout& layout, std::uint32_t target, int grid_col) {
  return static_cast<std::uint32_t>((target * 7 + 1) % layout.col_span_of(grid_col));
}

/// Every rank proposes a third of the row's targets; the first proposal that arrives is taken.
TEST(Fold, BringsProposalsToTheOwnersOfTheirTargets) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(9, 8), shape);
    const GridLayout& layout = on.graph().layout;
    for (const FoldForm form : {FoldForm::packed, FoldForm::plain}) {
      Fold fold(on.graph(), on.built.grid.row_comm, with_form(form), {});
      for (int round = 0; round < 2; ++round) {  // nothing is left of the first
        for (std::size_t piece = 0; piece < static_cast<std::size_t>(shape.cols); ++piece) {
          const int block = layout.block_of_row_piece(static_cast<int>(piece));
          for (std::uint32_t t = 0; t < layout.searched[static_cast<std::size_t>(block)]; ++t) {
            if (proposes(t, layout.grid_col())) {
              fold.propose(piece, layout.row_offset[piece] + t, source_of(layout, t, layout.grid_col()));
            }
          }
        }
        std::map<std::uint32_t, int> offered;
        PhaseObserver nobody;
        fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
        for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
          int expected = 0;
          bool is_right = false;
          for (int col = 0; col < shape.cols; ++col) {
            if (!proposes(t, col)) continue;
            ++expected;
            const std::int64_t parent =
                layout.blocks.first(layout.shape.rank_at(0, col)) + source_of(layout, t, col);
            is_right |= fold.parents()[t] == parent;
          }
          EXPECT_EQ(offered[t], expected) << shape.text();
          EXPECT_EQ(is_right, expected > 0) << shape.text();
        }
      }
      PhaseObserver nobody;
      fold.run(nobody, [](std::uint32_t) -> bool {
        ADD_FAILURE() << "nothing was proposed";
        return false;
      });
    }
  }
}

/// Every neighbour of the frontier is offered to its owner, by each rank of the grid row once in a search.
TEST(ScanColumns, ProposesEachRowOnce) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(11, 8), shape);
    for (const std::uint64_t share : {0U, 1U, 30U}) {
      const Drawn drawn{share, share};
      Expand expand(on.graph().layout, on.built.grid.col_comm, FrontierForm::list);
      Fold fold(on.graph(), on.built.grid.row_comm, with_form(FoldForm::packed), {});
      RowNotes notes(on.graph().layout);
      const std::vector<std::uint32_t> own = on.list(drawn);
      const auto columns = expand.frontier(own);
      std::int64_t expected_arcs = 0;
      for (const std::uint32_t col : columns) expected_arcs += on.graph().by_source().length(col);
      std::map<std::uint32_t, int> offered;
      PhaseObserver nobody;
      // A column by itself is scanned by one thread, as are few arcs; all of them by bits.
      if (!columns.empty()) scan_columns(on.graph(), columns.first(1), notes, fold);
      EXPECT_EQ(scan_columns(on.graph(), columns, notes, fold), expected_arcs);
      EXPECT_EQ(scan_columns(on.graph(), columns, notes, fold), expected_arcs);
      fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
      for (std::uint32_t t = 0; t < on.graph().layout.own_searched(); ++t) {
        const std::int64_t v = on.original(t);
        EXPECT_EQ(offered[t] > 0, on.has_neighbour(v, drawn)) << shape.text() << " vertex " << v;
        EXPECT_LE(offered[t], shape.cols);
        if (offered[t] == 0) continue;
        EXPECT_TRUE(drawn(fold.parents()[t]) && on.are_neighbours(v, fold.parents()[t])) << shape.text();
      }
      fold.reset();
      offered.clear();
      scan_columns(on.graph(), columns, notes, fold);
      fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
      EXPECT_EQ(offered.empty(), on.list([&](std::int64_t v) { return on.has_neighbour(v, drawn); }).empty());
    }
  }
}

}  // namespace
}  // namespace isobath
