// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/vertex.hpp"
#include "bfs/component_labels.hpp"
#include "bfs/plan.hpp"
#include "comm/communicator.hpp"
#include "graph/endpoints.hpp"
#include "sssp/own_vertices.hpp"
#include "sssp/upper_graph.hpp"

namespace isobath {

/// Components of the graph and their edges. Leaving out edges that lie on no shortest path does not divide a
/// component, and every vertex hangs from an upper one, so the upper graph tells them apart.
class UpperComponents {
 public:
  UpperComponents() = default;
  /// Collective.
  UpperComponents(const UpperGraph& upper, const OwnVertices& own, const Endpoints& endpoints,
                  const Communicator& world);

  /// Of own vertex `v`, not isolated.
  std::uint32_t label_at_owner(const OwnVertices& own, std::size_t v) const;
  const TraversedEdges& edges_of(std::uint32_t label) const { return edges_[label]; }
  std::int64_t count() const { return static_cast<std::int64_t>(edges_.size()); }
  std::int64_t largest_vertices() const { return largest_.vertices(); }
  std::int64_t largest_edges() const { return largest_.edges(); }

 private:
  std::vector<std::uint32_t> label_;   // by upper number
  std::vector<TraversedEdges> edges_;  // by label
  LargestComponent largest_;
};

}  // namespace isobath
