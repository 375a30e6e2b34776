// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

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

  /// Collective. Each value summed over all ranks: along the grid rows, then along the grid columns. So a
  /// rank meets the others of its row and of its column, not all.
  void sum(std::span<std::int64_t> values) const {
    row_comm.sum(values);
    col_comm.sum(values);
  }
};

}  // namespace isobath
