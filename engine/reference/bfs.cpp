// SPDX-License-Identifier: Apache-2.0
#include "reference/bfs.hpp"

#include <queue>

#include "reference/place.hpp"

namespace isobath::reference {

BfsTree bfs(const Adjacency& graph, GlobalVertex root) {
  const auto size = static_cast<std::size_t>(graph.num_vertices());
  BfsTree tree{std::vector<GlobalVertex>(size, no_vertex), std::vector<Level>(size, no_level)};
  std::queue<GlobalVertex> frontier;
  tree.parents[at(root)] = root;
  tree.levels[at(root)] = 0;
  frontier.push(root);
  while (!frontier.empty()) {
    const GlobalVertex source = frontier.front();
    frontier.pop();
    for (const GlobalVertex target : graph.neighbours[at(source)]) {
      if (tree.parents[at(target)] != no_vertex) continue;
      tree.parents[at(target)] = source;
      tree.levels[at(target)] = tree.levels[at(source)] + 1;
      frontier.push(target);
    }
  }
  return tree;
}

std::vector<Level> levels_from_parents(std::span<const GlobalVertex> parents, GlobalVertex root) {
  const auto size = static_cast<std::int64_t>(parents.size());
  std::vector<Level> levels(parents.size(), no_level);
  for (std::int64_t v = 0; v < size; ++v) {
    GlobalVertex ancestor{v};
    for (Level steps = 0; steps <= size; ++steps) {
      if (ancestor == root) {
        levels[static_cast<std::size_t>(v)] = steps;
        break;
      }
      ancestor = parents[at(ancestor)];
      if (raw(ancestor) < 0 || raw(ancestor) >= size) break;
    }
  }
  return levels;
}

}  // namespace isobath::reference
