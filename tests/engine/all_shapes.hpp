// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "partition/grid_shape.hpp"

namespace isobath::test {

/// Every grid of so many ranks, from 1 x P to P x 1.
inline std::vector<GridShape> shapes_of(int ranks) {
  std::vector<GridShape> shapes;
  for (int rows = 1; rows <= ranks; ++rows) {
    if (ranks % rows == 0) shapes.push_back({rows, ranks / rows});
  }
  return shapes;
}

}  // namespace isobath::test
