// SPDX-License-Identifier: Apache-2.0
#include "partition/grid_shape.hpp"

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(GridShape, PutsEveryRankInOnePlace) {
  for (int rows = 1; rows <= 9; ++rows) {
    for (int cols = 1; cols <= 9; ++cols) {
      const GridShape shape = {rows, cols};
      std::set<std::pair<int, int>> places;
      for (int rank = 0; rank < shape.size(); ++rank) {
        const int row = shape.row_of(rank);
        const int col = shape.col_of(rank);
        EXPECT_TRUE(row >= 0 && row < rows && col >= 0 && col < cols);
        EXPECT_EQ(shape.rank_at(row, col), rank);
        places.emplace(row, col);
      }
      EXPECT_EQ(places.size(), static_cast<std::size_t>(rows * cols));
    }
  }
}

TEST(GridShape, NumbersRanksAlongGridColumns) {
  const GridShape shape = {2, 3};  // block b sits in row b mod R, column b div R
  EXPECT_EQ(shape.row_of(3), 1);
  EXPECT_EQ(shape.col_of(3), 1);
  EXPECT_EQ(shape.rank_at(0, 2), 4);
}

TEST(GridShape, SquarestIsTheFattestRectangle) {
  for (int ranks = 1; ranks <= 600; ++ranks) {
    int rows = 1;  // the largest divisor not above the square root, by trying all of them
    for (int r = 1; r <= ranks; ++r) {
      if (ranks % r == 0 && r <= ranks / r) rows = r;
    }
    const GridShape shape = GridShape::squarest(ranks);
    EXPECT_EQ(shape, (GridShape{rows, ranks / rows})) << ranks;
    EXPECT_EQ(shape.size(), ranks);
  }
  EXPECT_EQ(GridShape::squarest(6).text(), "2x3");
  EXPECT_EQ(GridShape::squarest(7).text(), "1x7");
  EXPECT_EQ(GridShape::squarest(16).text(), "4x4");
}

TEST(GridShape, ReadsWhatItWrites) {
  for (const GridShape shape : {GridShape{1, 1}, GridShape{2, 3}, GridShape{32, 16}, GridShape{1, 1000}}) {
    EXPECT_EQ(GridShape::parse(shape.text()), shape);
  }
}

TEST(GridShape, RefusesWhatIsNoGrid) {
  for (const char* text :
       {"",    "x",    "2",    "2x",    "x3",  "0x3", "2x0",           "-1x3",          "2x-3", "2x3x4",
        "2X3", " 2x3", "2x3 ", "2 x 3", "axb", "2*3", "99999999999x1", "1x99999999999", "+2x3", "2.0x3"}) {
    try {
      const GridShape shape = GridShape::parse(text);
      ADD_FAILURE() << "'" << text << "' was read as " << shape.text();
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(),
                std::string("'") + text + "' is no grid; write rows x columns, for example 2x3");
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
}

}  // namespace
}  // namespace isobath
