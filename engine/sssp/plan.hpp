// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/phase.hpp"
#include "base/vertex.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "comm/traffic.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// Told about rounds and phases of a shortest-path search; reads clocks, which the kernels do not. A round is
/// a bucket, a sweep over the vertices, or whatever the plan repeats until nothing changes.
class PathObserver : public PhaseObserver {
 public:
  /// @param active  vertices over all ranks that the round begins with
  virtual void round_started(int /*round*/, std::int64_t /*active*/) {}
  /// @param arcs_relaxed  by this rank in the round
  virtual void round_finished(int /*round*/, std::int64_t /*arcs_relaxed*/) {}
};

/// One shortest-path tree, of the own vertices in original numbering.
///
/// distance[v] is the least, over all paths from the root, of the weights added up in float32 in the order of
/// the path; infinity where v is not reached. distance[v] == distance[parent[v]] + weight holds exactly in
/// float32 for some edge between the two; following the parents leads to the root.
struct ShortestPaths {
  std::span<const GlobalVertex> parents;
  std::span<const float> distances;
};

/// One way of storing the graph and finding shortest paths in it. Constructed once (kernel 1), searched many
/// times (kernel 3).
class PathPlan {
 public:
  PathPlan() = default;
  PathPlan(const PathPlan&) = delete;
  PathPlan& operator=(const PathPlan&) = delete;
  virtual ~PathPlan() = default;

  virtual std::string_view name() const = 0;
  /// Who owns which vertex: block b belongs to rank b of the communicator given to construction.
  virtual const BlockPartition& partition() const = 0;
  virtual const GraphFacts& facts() const = 0;

  /// Collective. Shortest paths from `root`, which has a neighbour other than itself: views of buffers that
  /// the plan owns, valid until the next search.
  virtual ShortestPaths search(GlobalVertex root, PathObserver& observer) = 0;

  /// Collective. Edges of the component of `root`, known from construction.
  virtual TraversedEdges traversed_edges(GlobalVertex root) const = 0;
  /// Collective. For every candidate: has it a neighbour other than itself?
  virtual std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const = 0;
  /// All that this rank sent in its searches so far, over every communicator it uses.
  virtual Traffic traffic() const = 0;

  /// Has construction left out edges that lie on no shortest path?
  virtual bool is_pruned() const { return false; }
  /// Why construction took this plan; empty where it was asked for.
  const std::string& reason() const { return reason_; }
  void because(std::string reason) { reason_ = std::move(reason); }

 private:
  std::string reason_;
};

/// What a plan for shortest paths is constructed with.
struct PathOptions {
  GridShape shape;
  /// Width of a bucket of delta-stepping; 0: chosen from the graph.
  double delta = 0;
};

/// The plans for shortest paths by name (docs/explanation/sssp.md).
inline constexpr std::array<std::string_view, 3> path_plan_names = {"landmark", "delta-stepping",
                                                                    "bellman-ford"};

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

/// Collective. Kernel 1 of the plan `name` or of that which the graph wants. @throws UsageError for an
/// unknown name
std::unique_ptr<PathPlan> construct_path_plan(std::string_view name, const WeightedEdgeStream& edges,
                                              const Communicator& world, const PathOptions& options,
                                              PhaseObserver& observer);

}  // namespace isobath
