// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bfs/plan.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// Collective. The lowest label wins: active vertices offer theirs to their neighbours, those whose label
/// falls are active next, until nobody's does.
/// @param offer  offer(active, take): sends the labels of active vertices to the owners of their neighbours,
///     and calls take(label, offered, vertex) for what arrives: the label that an own vertex has, the offer
template <class Vertex, class Offer>
void lower_labels(const Communicator& world, std::vector<Vertex> active, Offer&& offer) {
  while (world.any(!active.empty())) {
    std::vector<Vertex> lowered;
    offer(std::as_const(active), [&](std::int64_t& label, std::int64_t offered, Vertex vertex) {
      if (offered >= label) return;
      label = offered;
      lowered.push_back(vertex);
    });
    std::sort(lowered.begin(), lowered.end());
    lowered.erase(std::unique(lowered.begin(), lowered.end()), lowered.end());
    active = std::move(lowered);
  }
}

/// What the vertices of a component add up to.
struct ComponentSums {
  std::int64_t endpoints = 0;
  std::int64_t self_loops = 0;
  std::int64_t vertices = 0;

  void add(const ComponentSums& other) {
    endpoints += other.endpoints;
    self_loops += other.self_loops;
    vertices += other.vertices;
  }
  TraversedEdges edges() const { return {endpoints / 2, self_loops}; }
};

/// The component of most vertices; of several, the one of most edges.
class LargestComponent {
 public:
  void look_at(const ComponentSums& component) {
    if (component.vertices < vertices_) return;
    const std::int64_t edges = component.endpoints / 2;
    edges_ = component.vertices > vertices_ ? edges : std::max(edges_, edges);
    vertices_ = component.vertices;
  }
  /// Collective. From now on of the components of all ranks.
  void agree(const Communicator& world) {
    const std::int64_t most = world.max(vertices_);
    edges_ = world.max(vertices_ == most ? edges_ : 0);
    vertices_ = most;
  }
  std::int64_t vertices() const { return vertices_; }
  std::int64_t edges() const { return edges_; }

 private:
  std::int64_t vertices_ = 0;
  std::int64_t edges_ = 0;
};

}  // namespace isobath
