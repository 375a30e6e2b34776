// SPDX-License-Identifier: Apache-2.0
#include "bfs/graph_plan.hpp"

#include "graph/check_arcs.hpp"

namespace isobath {

GraphOptions graph_options(const Switches& switches) {
  return {.numbering = {.relabel = switches.relabel, .leaves_out = switches.leaves_out},
          .keep_duplicates = switches.keep_duplicates,
          .streams = switches.streams,
          .families = switches.families && switches.streams,
          .hubs = switches.hub_pass};
}

GraphPlan::GraphPlan(const EdgeStream& edges, const Communicator& world, GridShape shape,
                     const GraphOptions& options, PhaseObserver& observer)
    : ConstructedGraph(world, shape, [&](const Grid& grid) {
        return construct_graph(edges, world, grid, observer, options);
      }) {}

std::vector<int> GraphPlan::row_nodes(const PlanOptions& options) const {
  std::vector<int> nodes;
  for (const int rank : grid_.row_comm.world_ranks()) {
    nodes.push_back(options.node_of_rank.empty() ? 0
                                                 : options.node_of_rank.at(static_cast<std::size_t>(rank)));
  }
  return nodes;
}

std::optional<SearchPlan::ConstructionCheck> GraphPlan::check_construction(const EdgeStream& edges,
                                                                           const Communicator& world) const {
  const ArcCheck check = check_arcs(graph_, components_.leaves_in_pairs(), edges, world, grid_);
  return ConstructionCheck{check.missing_arcs, check.stored_arcs, check.met_arcs, check.first_missing};
}

}  // namespace isobath
