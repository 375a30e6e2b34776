// SPDX-License-Identifier: Apache-2.0
// Fold: what is proposed along a grid row is offered to the owners of the targets, all of it and nothing
// else.
#include "bfs/hybrid/fold.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

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
      Parents parents(on.graph());
      Fold fold(on.graph(), on.built.grid.row_comm, with_form(form), {}, parents);
      for (int round = 0; round < 2; ++round) {  // nothing is left of the first
        for (std::size_t piece = 0; piece < static_cast<std::size_t>(shape.cols); ++piece) {
          const int block = layout.block_of_row_piece(static_cast<int>(piece));
          for (std::uint32_t t = 0; t < layout.searched[static_cast<std::size_t>(block)]; ++t) {
            const std::uint32_t row = layout.row_offset[piece] + t;
            if (proposes(t, layout.grid_col())) {
              fold.propose(piece, row, source_of(layout, t, layout.grid_col()));
            }
            EXPECT_EQ(test_bit(fold.proposed(), row), proposes(t, layout.grid_col())) << "not again";
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
            is_right |= parents.by_vertex()[t] == parent;
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

}  // namespace
}  // namespace isobath
