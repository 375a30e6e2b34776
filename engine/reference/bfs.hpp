// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/vertex.hpp"
#include "reference/adjacency.hpp"

namespace isobath::reference {

inline constexpr Level no_level = -1;

/// Breadth-first search with a queue. Twin of every search plan: levels are unique and compared exactly;
/// parents are not, and are compared by the rules.
struct BfsTree {
  std::vector<GlobalVertex> parents;  // the root's is the root; no_vertex where not reached
  std::vector<Level> levels;          // no_level where not reached
};
BfsTree bfs(const Adjacency& graph, GlobalVertex root);

/// Levels counted along the parents, one vertex at a time: no_level where the root is not met within as many
/// steps as there are vertices (not reached, or a cycle), or a parent is no vertex.
std::vector<Level> levels_from_parents(std::span<const GlobalVertex> parents, GlobalVertex root);

}  // namespace isobath::reference
