// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vertex.hpp"

namespace isobath::reference {

/// A graph as vectors of vectors. Twin of engine/graph: what construction must find, in original numbering.
struct Adjacency {
  std::vector<std::vector<GlobalVertex>> neighbours;  // distinct, ascending, self-loops left out
  std::vector<std::int64_t> endpoints;   // edge ends at each vertex: duplicates counted, self-loops left out
  std::vector<std::int64_t> self_loops;  // at each vertex, duplicates counted

  std::int64_t num_vertices() const { return static_cast<std::int64_t>(neighbours.size()); }
  /// Unordered pairs, self-loops left out.
  std::int64_t num_distinct_edges() const;
  std::int64_t num_self_loops() const;
};

/// @throws InternalError when an edge names a vertex outside 0 .. num_vertices - 1
Adjacency adjacency(std::int64_t num_vertices, std::span<const Edge> edges);

/// Connected components, ascending by their lowest vertex. A vertex without neighbours is one of its own.
struct Components {
  std::vector<std::int64_t> component_of;  // of each vertex
  std::vector<std::int64_t> vertices;      // per component
  std::vector<std::int64_t> edges;         // per component: without self-loops, duplicates counted
  std::vector<std::int64_t> self_loops;    // per component, duplicates counted
};
Components components(const Adjacency& graph);

}  // namespace isobath::reference
