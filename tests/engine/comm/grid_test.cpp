// SPDX-License-Identifier: Apache-2.0
#include "comm/grid.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

TEST(Grid, ArrangesEveryRectangle) {
  for (int rows = 1; rows <= world().size(); ++rows) {
    if (world().size() % rows != 0) continue;
    const GridShape shape = {rows, world().size() / rows};

    const Grid grid = Grid::arrange(world(), shape);

    EXPECT_EQ(grid.shape, shape);
    EXPECT_EQ(grid.shape.rank_at(grid.row, grid.col), world().rank());
    EXPECT_EQ(grid.row_comm.size(), shape.cols);
    EXPECT_EQ(grid.col_comm.size(), shape.rows);
    EXPECT_EQ(grid.row_comm.rank(), grid.col);
    EXPECT_EQ(grid.col_comm.rank(), grid.row);
    std::vector<int> along_row;
    for (int col = 0; col < shape.cols; ++col) along_row.push_back(shape.rank_at(grid.row, col));
    std::vector<int> along_column;
    for (int row = 0; row < shape.rows; ++row) along_column.push_back(shape.rank_at(row, grid.col));
    EXPECT_EQ(grid.row_comm.allgather(world().rank()), along_row) << shape.text();
    EXPECT_EQ(grid.col_comm.allgather(world().rank()), along_column) << shape.text();
  }
}

TEST(Grid, RefusesAShapeOfAnotherSize) {
  for (const GridShape shape :
       {GridShape{1, world().size() + 1}, GridShape{0, 0}, GridShape{-1, -world().size()}}) {
    try {
      Grid::arrange(world(), shape);
      FAIL() << shape.text();
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("the grid " + shape.text() + " needs "), std::string::npos) << text;
      EXPECT_NE(text.find("omit it for the grid of the plan"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace isobath::test
