// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "bfs/constructed_graph.hpp"

namespace isobath {

/// What all search plans share. A plan adds how it searches.
class GraphPlan : public SearchPlan, protected ConstructedGraph {
 public:
  const BlockPartition& partition() const override { return graph_.layout.blocks; }
  const GraphFacts& facts() const override { return facts_; }
  TraversedEdges traversed_edges(GlobalVertex root) const override { return edges_of_component(root); }
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override {
    return are_connected(candidates);
  }
  Traffic traffic() const override { return sent(); }
  std::optional<ConstructionCheck> check_construction(const EdgeStream& edges,
                                                      const Communicator& world) const override;

 protected:
  /// Collective. Kernel 1 up to the searchable graph. @param world  outlives the plan
  GraphPlan(const EdgeStream& edges, const Communicator& world, GridShape shape, const GraphOptions& options,
            PhaseObserver& observer);

  /// Node of each rank of the grid row; one node where the options name none.
  std::vector<int> row_nodes(const PlanOptions& options) const;
};

/// The graph that these switches ask for.
GraphOptions graph_options(const Switches& switches);

}  // namespace isobath
