// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "sssp/grid_climb.hpp"
#include "sssp/grid_descent.hpp"
#include "sssp/plan.hpp"
#include "sssp/tentative_paths.hpp"

namespace isobath {

/// Distances of leaves on several grid columns, after a search: each is that of its neighbour and the weight
/// of its edge, and the neighbour is a column of another rank of the grid row.
class GridLeaves {
 public:
  /// @param graph, grid  outlive this
  GridLeaves(const Graph& graph, const Grid& grid);

  /// Collective along the grid row.
  /// @param known  final distances by place of the column; beyond them that of the missing one
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

/// Shortest paths in a weighted graph on an R x C grid, as LocalPaths does it on one rank: a search climbs
/// from the root to the first hub and through the core around it, then all vertices pull. In a graph without
/// hubs the climb goes all the way. docs/explanation/delta-stepping.md
class GridPaths {
 public:
  /// Collective. @param graph, world, grid  outlive this  @param delta  width of a bucket; 0: chosen
  GridPaths(const Graph& graph, const Communicator& world, const Grid& grid, double delta);

  /// Collective. Shortest paths from a searched vertex that is `distance` away from the root.
  void search(const Location& start, float distance, SearchObserver& observer);
  /// Forgets the search before; nothing is reached.
  void reset() { paths_.reset(); }
  /// Collective. Leaves hear how far they are.
  void finish(SearchObserver& observer) { leaves_.hear(paths_.known(), observer); }
  /// Collective. Chooses how far the core reaches, from the search before, which began at the hub of highest
  /// degree.
  void choose_core();
  /// How far it reaches; 0 where none was chosen.
  double core_radius() const { return double{steps_.core_radius}; }

  /// On this rank.
  bool has_light_streams() const { return descent_.has_light_streams(); }

  /// Of the own searched vertices.
  const TentativePaths& found() const { return paths_; }
  /// Of the own leaves, on several grid columns.
  std::span<const float> leaf_distances() const { return leaves_.distances(); }

 private:
  const Graph& graph_;
  const Communicator& world_;
  bool delta_is_given_;
  GridClimb::Steps steps_;
  TentativePaths paths_;
  GridClimb climb_;
  GridDescent descent_;
  GridLeaves leaves_;
};

}  // namespace isobath
