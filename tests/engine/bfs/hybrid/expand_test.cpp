// SPDX-License-Identifier: Apache-2.0
// Expand: every rank of a grid column learns what its owners know, whatever way it travels.
#include "bfs/hybrid/expand.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

constexpr FrontierForm forms[] = {FrontierForm::bitmap, FrontierForm::list, FrontierForm::smaller,
                                  FrontierForm::packed};

/// Originals of the whole grid column, ascending.
std::vector<std::int64_t> gathered(const GridGraph& on, const std::vector<std::uint32_t>& own) {
  std::vector<std::int64_t> originals;
  for (const std::uint32_t v : own) originals.push_back(on.original(v));
  std::vector<std::int64_t> all = on.built.grid.col_comm.allgatherv<std::int64_t>(originals);
  std::ranges::sort(all);
  return all;
}

TEST(Expand, TellsTheGridColumnItsFrontierAndWhatIsVisited) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(11, 8), shape);
    const GridLayout& layout = on.graph().layout;
    for (const FrontierForm form : forms) {
      Expand expand(layout, on.built.grid.col_comm, form);
      EXPECT_EQ(expand.sends(), shape.rows > 1);
      for (const std::uint64_t share : {0U, 1U, 32U, 63U, 64U}) {
        const Drawn drawn{share + 5, share};
        std::vector<std::uint32_t> own = on.list(drawn);
        const std::vector<std::int64_t> expected = gathered(on, own);
        std::ranges::reverse(own);  // a list that was found top-down is in no order
        std::vector<std::int64_t> told;
        for (const std::uint32_t col : expand.frontier(own)) told.push_back(on.original_of_column(col));
        std::ranges::sort(told);
        EXPECT_EQ(told, expected) << shape.text() << ", form " << static_cast<int>(form) << ", share "
                                  << share;

        const std::vector<Word> visited = on.words(drawn);
        const Word* const cols = expand.visited(visited);
        std::vector<std::int64_t> seen;
        for_each_bit({cols, layout.col_words()}, [&](std::size_t col) {
          ASSERT_LT(col, layout.num_cols());
          seen.push_back(on.original_of_column(static_cast<std::uint32_t>(col)));
        });
        std::ranges::sort(seen);
        EXPECT_EQ(seen, expected) << shape.text() << ", form " << static_cast<int>(form) << ", share "
                                  << share;
      }
    }
  }
}

TEST(Expand, KnowsTheRootWithoutAMessage) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(8, 8), shape);
    Expand expand(on.graph().layout, on.built.grid.col_comm, FrontierForm::packed);
    for (std::int64_t v = 0; v < 50; ++v) {
      const Location root = locate(on.graph(), test::world(), GlobalVertex{v});
      if (root.kind != Location::Kind::searched) continue;
      const std::int64_t before = on.built.sent().bytes_sent;
      const auto columns = expand.start_column(root);
      EXPECT_EQ(on.built.sent().bytes_sent, before);
      const bool is_stored = shape.col_of(static_cast<int>(root.owner)) == on.graph().layout.grid_col();
      ASSERT_EQ(columns.size(), is_stored ? 1U : 0U);
      if (is_stored) {
        EXPECT_EQ(on.original_of_column(columns[0]), v);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
