// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/vertex.hpp"

namespace isobath::reference {

inline constexpr float no_distance = std::numeric_limits<float>::infinity();

/// A way from a vertex to a neighbour.
struct WeightedArc {
  GlobalVertex target;
  float weight;
  friend bool operator==(const WeightedArc&, const WeightedArc&) = default;
};

/// Arcs of each vertex, ascending by target; of several edges between two vertices the lightest; self-loops
/// left out. Weights are finite and not negative.
using WeightedAdjacency = std::vector<std::vector<WeightedArc>>;

/// `weights[i]` belongs to `edges[i]`.
/// @throws InternalError when an edge names a vertex outside 0 .. num_vertices - 1, or has another weight
WeightedAdjacency weighted_adjacency(std::int64_t num_vertices, std::span<const Edge> edges,
                                     std::span<const float> weights);

/// Dijkstra's search with a heap. Twin of every plan for shortest paths: distances, added up in float32 from
/// the root, are unique and compared exactly; parents are not, and are compared by the rules.
///
/// A float32 sum of two numbers that are not negative is at least either of them, and does not fall when one
/// of them grows. So a vertex that leaves the heap has its least distance, as in exact arithmetic. A vertex
/// gets a parent only where its distance becomes smaller: edges that add nothing make no cycles.
struct ShortestPathTree {
  std::vector<GlobalVertex> parents;  // the root's is the root; no_vertex where not reached
  std::vector<float> distances;       // no_distance where not reached
};
ShortestPathTree dijkstra(const WeightedAdjacency& graph, GlobalVertex root);

}  // namespace isobath::reference
