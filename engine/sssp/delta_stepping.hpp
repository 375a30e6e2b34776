// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bfs/constructed_graph.hpp"
#include "sssp/emit_paths.hpp"
#include "sssp/grid_paths.hpp"
#include "sssp/local_paths.hpp"
#include "sssp/plan.hpp"

namespace isobath {

/// The plan `delta-stepping`: shortest paths by buckets of distance, in the whole graph, on any grid. A
/// search pushes near the hubs and pulls everywhere else, on one rank (LocalPaths) and on several
/// (GridPaths).
class DeltaStepping final : public SearchPlan {
 public:
  /// Collective. Kernel 1, components included. @param world  outlives the plan
  DeltaStepping(const WeightedEdgeStream& edges, const Communicator& world, const PathOptions& options,
                PhaseObserver& observer);

  std::string_view name() const override { return "delta-stepping"; }
  const BlockPartition& partition() const override { return built_.graph.layout.blocks; }
  const GraphFacts& facts() const override { return built_.facts; }
  FoundTree search(GlobalVertex root, SearchObserver& observer) override;
  TraversedEdges traversed_edges(GlobalVertex root) const override { return built_.edges_of_component(root); }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    return built_.are_connected(candidates);
  }
  Traffic traffic() const override { return built_.sent(); }

 private:
  /// A vertex to start from, and how far it is from the root. A leaf starts at its neighbour.
  struct Start {
    Location vertex;
    float distance = 0;
  };
  void tell_streams(const Communicator& world);
  Start start_of(const Location& root) const;
  void find_paths(const Start& start, SearchObserver& observer);
  std::span<const Word> reached_from(const Location& start);
  std::span<const float> found_distances() const;
  PathsToEmit paths_to_emit();
  void emit();
  void set_path(std::int64_t vertex, std::int64_t parent, float distance);

  ConstructedGraph built_;
  std::unique_ptr<LocalPaths> local_;  // on one rank
  std::unique_ptr<GridPaths> grid_;    // on several
  EmitPaths emit_step_;
  LargeArray<GlobalVertex> parents_;  // the result
  LargeArray<float> distances_;
  std::vector<Word> reached_;  // own searched vertices, in construction
};

}  // namespace isobath
