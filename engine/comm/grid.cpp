// SPDX-License-Identifier: Apache-2.0
#include "comm/grid.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {

Grid Grid::arrange(const Communicator& world, GridShape shape) {
  if (shape.rows < 1 || shape.cols < 1 || std::int64_t{shape.rows} * shape.cols != world.size()) {
    throw UsageError(
        fmt::format("the grid {} needs {} ranks, but this run has {}; omit it for the grid of the plan",
                    shape.text(), std::int64_t{shape.rows} * shape.cols, world.size()));
  }
  Grid grid;
  grid.shape = shape;
  grid.row = shape.row_of(world.rank());
  grid.col = shape.col_of(world.rank());
  grid.row_comm = world.split(grid.row, grid.col);
  grid.col_comm = world.split(grid.col, grid.row);
  ISOBATH_EXPECTS(grid.row_comm.rank() == grid.col && grid.col_comm.rank() == grid.row);
  return grid;
}

}  // namespace isobath
