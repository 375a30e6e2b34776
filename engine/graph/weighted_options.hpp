// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "graph/hypersparse.hpp"

namespace isobath {

/// How a weighted graph is kept; what is found in it does not depend on it.
struct WeightedGraphOptions {
  Hypersparse hypersparse = Hypersparse::by_count;
  /// What is told along a grid row or column arrives in windows of so many bytes at the most; of more where a
  /// line of the grid is so long that one piece of 512 vertices of everyone is.
  std::size_t told_bytes = std::size_t{64} << 20;
  /// Low bits of wide positions (PositionForm); 0: a graph that needs these is refused.
  int position_bits = 0;
};

}  // namespace isobath
