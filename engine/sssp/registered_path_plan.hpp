// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "bfs/registered_plan.hpp"
#include "partition/grid_shape.hpp"
#include "sssp/plan.hpp"

namespace isobath {

/// All that is known of a plan for shortest paths before it is constructed.
struct RegisteredPathPlan {
  std::string_view name;
  bool prunes = false;       // leaves out edges that lie on no shortest path
  bool takes_delta = false;  // has buckets of a width that can be given
  /// Throws RefusedError where the plan cannot number so many vertices on a grid.
  void (*require_numbers)(std::int64_t num_vertices, GridShape shape) = nullptr;
  PlanConstructor<WeightedEdgeStream, PathOptions> construct = nullptr;
};

// A plan is a file that defines one of these, and a line in plans.cpp.
RegisteredPathPlan registered_landmark();
RegisteredPathPlan registered_delta_stepping();
RegisteredPathPlan registered_bellman_ford();

}  // namespace isobath
