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
  float least = unreached;      // of their distances
  float least_hub = unreached;  // of those among them that are hubs

  void add(const LoweredVertices& other) {
    count += other.count;
    least = std::min(least, other.least);
    least_hub = std::min(least_hub, other.least_hub);
  }
};

/// Collective. Those of all ranks: along the grid columns, then along the grid rows.
/// @param of_column  receives what each rank of the own grid column has
inline LoweredVertices over_all_ranks(const Grid& grid, const LoweredVertices& mine,
                                      std::vector<LoweredVertices>& of_column) {
  of_column = grid.col_comm.allgather(mine);
  LoweredVertices column;
  for (const LoweredVertices& rank : of_column) column.add(rank);
  LoweredVertices all;
  for (const LoweredVertices& other : grid.row_comm.allgather(column)) all.add(other);
  return all;
}

}  // namespace isobath
