// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "sssp/bucket_queue.hpp"
#include "sssp/path_core.hpp"
#include "sssp/plan.hpp"
#include "sssp/sweep.hpp"

namespace isobath {

/// Shortest paths in a weighted graph that one rank has alone; no MPI. docs/explanation/delta-stepping.md
///
/// A search climbs from the root, relaxing bucket after bucket of delta-stepping, until it meets a hub. From
/// there on only arcs are relaxed that stay near the hub, so that the core of the graph gets its distances.
/// Then all other vertices pull, sweep after sweep, until nothing changes. In a graph without hubs the climb
/// goes all the way.
class LocalPaths {
 public:
  /// @param graph  weighted, on one rank; outlives this  @param delta  width of a bucket; 0: chosen
  LocalPaths(const Graph& graph, double delta);

  /// Shortest paths from a searched vertex that is `distance` away from the root.
  void search(std::uint32_t source, float distance, SearchObserver& observer);
  /// Forgets the search before; nothing is reached.
  void reset();
  /// Chooses how far the core reaches, from the search before, which began at the hub of highest degree.
  void choose_core();
  /// How far it reaches; 0 where none was chosen.
  double core_radius() const { return double{core_radius_}; }

  /// By working number: infinity where not reached; the parent's column.
  std::span<const float> distances() const { return distance_.span(); }
  std::span<const std::uint32_t> parents() const { return parent_.span(); }

 private:
  PathTurn climb(std::uint32_t source, float distance, SearchObserver& observer);
  void prefetch_ahead(std::span<const TentativeVertex> bucket, std::size_t now) const;
  std::int64_t relax_row(TentativeVertex from, float limit);
  void descend(PathTurn turn, SearchObserver& observer);
  bool is_live(TentativeVertex entry) const { return distance_[entry.vertex] == entry.distance; }

  const Graph& graph_;
  PullStreams streams_;
  Sweep sweep_;
  std::uint32_t hub_length_ = 0;  // a row at least so long is a hub's
  float core_radius_ = 0;
  double delta_ = 0;
  bool delta_is_given_;

  LargeArray<float> distance_;
  LargeArray<std::uint32_t> parent_;
  LargeArray<std::uint16_t> lowered_;  // one rank tells nobody which
  BucketQueue queue_;
  int round_ = 0;
};

}  // namespace isobath
