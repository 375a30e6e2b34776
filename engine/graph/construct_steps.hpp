// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/codes.hpp"
#include "graph/graph.hpp"
#include "graph/named_hubs.hpp"
#include "graph/original_arcs.hpp"

namespace isobath {

/// A graph whose vertices are counted, numbered and told to the grid; its arcs come next.
struct NumberedGraph {
  Graph graph;
  GridCodes codes;
  NamedHubs named_hubs;  // on several grid columns, where they are asked for and arcs were delivered
};

/// Collective. The first half of construction, with weights or without.
/// @param arcs  where they were delivered before: end points are counted there, not in another pass over the
/// edges
NumberedGraph number_graph(const EdgeStream& edges, const Communicator& world, const Grid& grid,
                           PhaseObserver& observer, const GraphOptions& options,
                           const OriginalArcs* arcs = nullptr);

}  // namespace isobath
