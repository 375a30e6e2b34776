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

/// What all plans of both kernels share: a graph on a grid, its components and facts, and the answers that
/// need nothing else. Plans inherit it beside their interface.
class ConstructedGraph {
 protected:
  /// Collective. @param world  outlives this  @param construct  constructs the graph on the grid
  ConstructedGraph(const Communicator& world, GridShape shape,
                   const std::function<Graph(const Grid&)>& construct);

  /// Collective. The last step of kernel 1: a search from the vertex of highest degree finds the main
  /// component.
  /// @param reached_from  searches from there; own searched vertices that were reached, or none where the
  ///                      graph has no searched vertex with a neighbour (then it is not called)
  void label_components(PhaseObserver& observer,
                        const std::function<std::span<const Word>(const Location& start)>& reached_from);

  /// Collective. Edges of the component of `root`.
  TraversedEdges edges_of_component(GlobalVertex root) const;
  /// Collective. For every candidate: has it a neighbour other than itself?
  std::vector<char> are_connected(std::span<const GlobalVertex> candidates) const;
  /// What this rank sent over every communicator held here.
  Traffic sent() const;

  const Communicator& world_;
  Grid grid_;
  Graph graph_;
  Components components_;
  GraphFacts facts_;
};

}  // namespace isobath
