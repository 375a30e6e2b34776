// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "sssp/plan.hpp"

namespace isobath {

/// Distances of leaves on several grid columns, after a search: each is that of its neighbour and the weight
/// of its edge, and the neighbour is a column of another rank of the grid row.
class GridLeaves {
 public:
  /// @param graph, grid  outlive this
  GridLeaves(const Graph& graph, const Grid& grid);

  /// Collective along the grid row.
  /// @param known  final distances by column; beyond them that of the missing column
  void hear(const float* known, SearchObserver& observer);
  /// Of the own leaves; none on one grid column, where emit adds the weights itself.
  std::span<const float> distances() const { return distance_.span(); }

 private:
  const Graph& graph_;
  const Grid& grid_;
  LargeArray<float> told_;
  LargeArray<float> heard_;
  LargeArray<float> distance_;
};

}  // namespace isobath
