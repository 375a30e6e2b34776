// SPDX-License-Identifier: Apache-2.0
#include "bfs/oracle.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace isobath::test {
namespace {

std::size_t at(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }

}  // namespace

std::vector<Level> levels_of(std::span<const GlobalVertex> parents, GlobalVertex root) {
  constexpr Level unknown = -2;
  const auto size = static_cast<std::int64_t>(parents.size());
  std::vector<Level> levels(parents.size(), unknown);
  levels[at(root)] = 0;
  std::vector<GlobalVertex> way;
  for (std::int64_t i = 0; i < size; ++i) {
    GlobalVertex v{i};
    way.clear();
    Level level = reference::no_level;
    while (raw(v) >= 0 && raw(v) < size) {
      if (levels[at(v)] != unknown) {
        level = levels[at(v)];
        break;
      }
      levels[at(v)] = reference::no_level;  // met again on this way: a cycle
      way.push_back(v);
      v = parents[at(v)];
    }
    for (; !way.empty(); way.pop_back()) {
      if (level != reference::no_level) ++level;
      levels[at(way.back())] = level;
    }
  }
  return levels;
}

Oracle::Oracle(const SampleGraph& graph)
    : adjacency_(reference::adjacency(graph.num_vertices, graph.edges)),
      components_(reference::components(adjacency_)) {}

std::string Oracle::complaint(std::span<const GlobalVertex> parents, GlobalVertex root) const {
  if (std::ssize(parents) != adjacency_.num_vertices()) return fmt::format("{} parents", parents.size());
  if (parents[at(root)] != root)
    return fmt::format("the root {} has parent {}", raw(root), raw(parents[at(root)]));
  const std::vector<Level> expected = reference::bfs(adjacency_, root).levels;
  const std::vector<Level> found = levels_of(parents, root);
  for (std::size_t v = 0; v < found.size(); ++v) {
    const GlobalVertex parent = parents[v];
    if (found[v] != expected[v]) {
      return fmt::format("root {}: vertex {} is on level {}, should be on {}; its parent is {}", raw(root), v,
                         found[v], expected[v], raw(parent));
    }
    if (expected[v] == reference::no_level && parent != no_vertex) {
      return fmt::format("root {}: vertex {} is not reached, but has parent {}", raw(root), v, raw(parent));
    }
    if (expected[v] <= 0) continue;
    const auto& neighbours = adjacency_.neighbours[v];
    if (!std::binary_search(neighbours.begin(), neighbours.end(), parent)) {
      return fmt::format("root {}: vertex {} has parent {}, which is no neighbour", raw(root), v,
                         raw(parent));
    }
  }
  return {};
}

std::vector<GlobalVertex> Oracle::roots(std::size_t wanted) const {
  std::vector<GlobalVertex> chosen;
  const auto add = [&](std::size_t most, auto&& qualifies) {
    for (std::int64_t v = 0; v < adjacency_.num_vertices() && most > 0 && chosen.size() < wanted; ++v) {
      const GlobalVertex vertex{v};
      if (is_isolated(vertex) || std::ranges::find(chosen, vertex) != chosen.end()) continue;
      if (!qualifies(adjacency_.neighbours[at(vertex)], vertex)) continue;
      chosen.push_back(vertex);
      --most;
    }
  };
  const auto is_leaf = [&](GlobalVertex v) { return adjacency_.neighbours[at(v)].size() == 1; };
  const auto component_size = [&](GlobalVertex v) { return components_.vertices[component_of(v)]; };
  const std::int64_t most_endpoints =
      adjacency_.endpoints.empty() ? 0 : std::ranges::max(adjacency_.endpoints);
  const std::int64_t largest = components_.vertices.empty() ? 0 : std::ranges::max(components_.vertices);
  const std::size_t few = std::max<std::size_t>(1, wanted / 8);
  add(1, [&](const auto&, GlobalVertex v) { return adjacency_.endpoints[at(v)] == most_endpoints; });
  add(few, [&](const auto& neighbours, GlobalVertex v) { return is_leaf(v) && !is_leaf(neighbours[0]); });
  add(few, [&](const auto& neighbours, GlobalVertex v) { return is_leaf(v) && is_leaf(neighbours[0]); });
  add(few, [&](const auto&, GlobalVertex v) { return component_size(v) < largest && !is_leaf(v); });
  add(few, [&](const auto&, GlobalVertex v) { return component_size(v) < largest && is_leaf(v); });
  add(few, [&](const auto& neighbours, GlobalVertex v) {
    return !is_leaf(v) && std::ranges::any_of(neighbours, is_leaf);
  });
  add(few, [&](const auto& neighbours, GlobalVertex) { return std::ranges::all_of(neighbours, is_leaf); });
  add(few, [&](const auto& neighbours, GlobalVertex) { return neighbours.size() == 2; });
  add(wanted, [](const auto&, GlobalVertex) { return true; });
  return chosen;
}

}  // namespace isobath::test
