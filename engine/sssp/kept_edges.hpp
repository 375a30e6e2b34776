// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

/// What rounding may add to the sums that pruning compares: an edge or a detour that is longer than another
/// way by more than this is longer in float32 too, from every root. Proof: docs/explanation/sssp.md.
///
/// @param most_arcs  of a path from the landmark that gave a distance
/// @param largest    distance from the landmark
double rounding_margin(std::uint32_t most_arcs, float largest);

/// The edges that some shortest path may need: an edge (u, v) is left out where going by the landmark is
/// shorter, w > d(u) + d(v) + margin. Distances between vertices do not change by that, bit for bit.
struct KeptEdges {
  WeightedRows rows;           // own vertices; targets are original numbers
  LargeArray<float> distance;  // of every vertex of the graph from the landmark; infinity where not reached
  double margin = 0;
};

/// Collective. Reads the edge list twice: the light edges give distances from the landmark that are nearly
/// right, and those say which of the others can matter.
/// @param landmark  a vertex that many shortest paths pass: that of highest degree
KeptEdges keep_edges(const WeightedEdgeStream& edges, const BlockPartition& blocks, const Communicator& world,
                     GlobalVertex landmark, PhaseObserver& observer);

}  // namespace isobath
