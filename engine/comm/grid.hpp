// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/communicator.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// The ranks of `world` arranged as rows x cols, with one communicator per grid row and per grid column.
/// Rank in `row_comm` equals the grid column, rank in `col_comm` the grid row.
struct Grid {
  GridShape shape;
  int row = 0;
  int col = 0;
  Communicator row_comm;  // cols ranks of equal grid row: fold and rotate
  Communicator col_comm;  // rows ranks of equal grid column: expand

  /// Collective. @throws UsageError when the shape does not have world.size() places.
  static Grid arrange(const Communicator& world, GridShape shape);
};

}  // namespace isobath
