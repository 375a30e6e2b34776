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

/// What plans of both kernels have: a graph on a grid, its components and facts, and the answers that need
/// nothing else.
struct ConstructedGraph {
  /// Collective. Kernel 1 up to the searchable graph. @param all_ranks  outlives this
  ConstructedGraph(const EdgeStream& edges, const Communicator& all_ranks, const PlanOptions& options,
                   PhaseObserver& observer);
  /// Collective. @param construct  constructs the graph on the grid
  ConstructedGraph(const Communicator& all_ranks, GridShape shape,
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
  /// Collective. Looks up every edge of the list.
  SearchPlan::ConstructionCheck check(const EdgeStream& edges) const;
  /// What this rank sent over every communicator held here.
  Traffic sent() const;
  /// Node of each rank of the grid row; one node where the options name none.
  std::vector<int> row_nodes(const PlanOptions& options) const;

  const Communicator& world;  // all_ranks
  Grid grid;
  Graph graph;
  Components components;
  GraphFacts facts;
};

/// The graph that these options ask for.
GraphOptions graph_options(const PlanOptions& options);

}  // namespace isobath
