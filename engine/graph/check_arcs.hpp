// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "graph/graph.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Outcome of comparing what was constructed with the edge list, over all ranks.
struct ArcCheck {
  std::int64_t missing_arcs = 0;  // arcs of the edge list (both ways) that are not stored
  std::int64_t stored_arcs =
      0;  // leaves' arcs included; also arcs that only the rows by source or the planes have
  std::int64_t met_arcs =
      0;  // stored arcs that an edge was found for: twice the distinct edges when all is right
  Edge first_missing{no_vertex, no_vertex};
};

/// Collective. Goes through the edge list again and looks up both arcs of every edge that is no self-loop,
/// marking what it finds, in the rows, and for the first neighbours in the planes as well. Nothing is missing
/// and every stored arc is met exactly when the stored graph is the edge list's. Rows hold no arc twice then,
/// since only one of two equal arcs would be met.
///
/// @param leaves_in_pairs  own leaves that are each other's only neighbour (Components)
ArcCheck check_arcs(const Graph& graph, std::int64_t leaves_in_pairs, const EdgeStream& edges,
                    const Communicator& world, const Grid& grid);

}  // namespace isobath
