// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "comm/grid.hpp"
#include "sssp/distance.hpp"

namespace isobath {

/// Vertices whose distance became smaller, and whose neighbours do not all know yet.
struct LoweredVertices {
  std::int64_t count = 0;
  float least = unreached;  // of their distances
  float padding = 0;        // all bytes travel

  void add(const LoweredVertices& other) {
    count += other.count;
    least = std::min(least, other.least);
  }
};

/// Collective. Those of all ranks: along the grid columns, then along the grid rows.
/// @param of_column  receives what each rank of the own grid column has
template <class Vertices>
Vertices over_all_ranks(const Grid& grid, const Vertices& mine, std::vector<Vertices>& of_column) {
  of_column = grid.col_comm.allgather(mine);
  Vertices column;
  for (const Vertices& rank : of_column) column.add(rank);
  Vertices all;
  for (const Vertices& other : grid.row_comm.allgather(column)) all.add(other);
  return all;
}

}  // namespace isobath
