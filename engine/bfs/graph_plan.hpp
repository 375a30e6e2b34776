// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bfs/components.hpp"
#include "bfs/plan.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// What all plans share: a graph on a grid, its components and facts, and the answers that need nothing else.
/// A plan adds how it searches.
class GraphPlan : public SearchPlan {
 public:
  const BlockPartition& partition() const override { return graph_.layout.blocks; }
  const GraphFacts& facts() const override { return facts_; }
  TraversedEdges traversed_edges(GlobalVertex root) const override;
  std::vector<char> has_neighbour(std::span<const GlobalVertex> candidates) const override;
  Traffic traffic() const override;
  ConstructionCheck check_construction(const EdgeStream& edges, const Communicator& world) const override;

 protected:
  /// Collective. Kernel 1 up to the searchable graph. @param world  outlives the plan
  GraphPlan(const EdgeStream& edges, const Communicator& world, GridShape shape, const GraphOptions& options,
            PhaseObserver& observer);

  /// Collective. The last step of kernel 1: a search from the vertex of highest degree finds the main
  /// component.
  /// @param reached_from  searches from there; own searched vertices that were reached, or none where the
  ///                      graph has no searched vertex with a neighbour (then it is not called)
  void label_components(PhaseObserver& observer,
                        const std::function<std::span<const Word>(const Location& start)>& reached_from);

  /// Node of each rank of the grid row; one node where the options name none.
  std::vector<int> row_nodes(const PlanOptions& options) const;

  const Communicator& world_;
  Grid grid_;
  Graph graph_;
  Components components_;
  GraphFacts facts_;
};

/// The graph that these switches ask for.
GraphOptions graph_options(const Switches& switches);

}  // namespace isobath
