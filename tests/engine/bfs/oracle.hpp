// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/vertex.hpp"
#include "graph/sample_graphs.hpp"
#include "reference/adjacency.hpp"
#include "reference/bfs.hpp"

namespace isobath::test {

/// Levels by one walk along the parents, every vertex visited once: the fast form of
/// reference::levels_from_parents.
std::vector<Level> levels_of(std::span<const GlobalVertex> parents, GlobalVertex root);

/// What is right about one graph, worked out by the slow twins.
class Oracle {
 public:
  explicit Oracle(const SampleGraph& graph);

  const reference::Adjacency& adjacency() const { return adjacency_; }
  const reference::Components& components() const { return components_; }
  bool is_isolated(GlobalVertex v) const {
    return adjacency_.neighbours[static_cast<std::size_t>(raw(v))].empty();
  }
  /// Component of `v` among components().
  std::size_t component_of(GlobalVertex v) const {
    return static_cast<std::size_t>(components_.component_of[static_cast<std::size_t>(raw(v))]);
  }
  /// What is wrong with `parents` as the tree of a search from `root`; empty when nothing is: the levels are
  /// those of a queue search, and every parent is a neighbour on the level before.
  std::string complaint(std::span<const GlobalVertex> parents, GlobalVertex root) const;

  /// At most `wanted` roots of different kinds: hubs, leaves, pair members, tiny components, vertices next to
  /// leaves, then any. None is isolated.
  std::vector<GlobalVertex> roots(std::size_t wanted) const;

 private:
  reference::Adjacency adjacency_;
  reference::Components components_;
};

}  // namespace isobath::test
