// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "graph/weighted_options.hpp"
#include "partition/edge_stream.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// What a plan for shortest paths is constructed with.
struct PathOptions {
  GridShape shape;
  /// Width of a bucket of delta-stepping; 0: chosen from the graph.
  double delta = 0;
  /// How delta-stepping keeps its graph; for tests, since what it finds does not depend on it.
  WeightedGraphOptions graph = {.position_bits = 32};
};

/// The plans for shortest paths by name (docs/explanation/sssp.md), as registered_path_plan.hpp lists them.
std::vector<std::string> path_plan_names();

/// Instead of a name: construction chooses by the graph (sssp/choose_plan.cpp). Not for the benchmark, whose
/// plan is to be known before it runs.
inline constexpr std::string_view any_path_plan = "auto";

/// The plan where none is asked for. An official run takes one that leaves out no edge.
std::string_view default_path_plan(bool official);
/// Does a run of this plan (not any_path_plan) leave out edges? @param asked  "on", "off", or empty: as the
/// plan is
/// @throws UsageError where the plan cannot do as asked
bool prunes(std::string_view plan, std::string_view asked);
/// A width of buckets is of delta-stepping alone; elsewhere it would be dropped without a word.
/// @throws UsageError for another plan
void expect_takes_delta(std::string_view plan);

/// Whether the plan, or the one that a graph may want, can number so many vertices on this grid; asked before
/// edges are generated.
/// @throws RefusedError when it cannot, UsageError for an unknown name
void require_fitting_path_numbers(std::string_view name, std::int64_t num_vertices, GridShape shape);

/// Collective. Kernel 1 of the plan `name` or of that which the graph wants. @throws UsageError for an
/// unknown name
std::unique_ptr<SearchPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                                const Communicator& world, const PathOptions& options,
                                                PhaseObserver& observer);

}  // namespace isobath
