// SPDX-License-Identifier: Apache-2.0
#include "reference/adjacency.hpp"

#include <algorithm>

#include "base/expects.hpp"
#include "reference/place.hpp"

namespace isobath::reference {

std::int64_t Adjacency::num_distinct_edges() const {
  std::size_t arcs = 0;
  for (const auto& row : neighbours) arcs += row.size();
  return static_cast<std::int64_t>(arcs / 2);
}

std::int64_t Adjacency::num_self_loops() const {
  std::int64_t loops = 0;
  for (const std::int64_t here : self_loops) loops += here;
  return loops;
}

Adjacency adjacency(std::int64_t num_vertices, std::span<const Edge> edges) {
  const auto size = static_cast<std::size_t>(num_vertices);
  Adjacency graph;
  graph.neighbours.resize(size);
  graph.endpoints.resize(size);
  graph.self_loops.resize(size);
  for (const Edge& edge : edges) {
    ISOBATH_EXPECTS(0 <= raw(edge.u) && raw(edge.u) < num_vertices);
    ISOBATH_EXPECTS(0 <= raw(edge.v) && raw(edge.v) < num_vertices);
    if (edge.u == edge.v) {
      ++graph.self_loops[at(edge.u)];
      continue;
    }
    graph.neighbours[at(edge.u)].push_back(edge.v);
    graph.neighbours[at(edge.v)].push_back(edge.u);
    ++graph.endpoints[at(edge.u)];
    ++graph.endpoints[at(edge.v)];
  }
  for (auto& row : graph.neighbours) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return graph;
}

Components components(const Adjacency& graph) {
  const auto size = static_cast<std::size_t>(graph.num_vertices());
  Components found;
  found.component_of.assign(size, -1);
  for (std::size_t first = 0; first < size; ++first) {
    if (found.component_of[first] >= 0) continue;
    const auto component = static_cast<std::int64_t>(found.vertices.size());
    std::vector<std::size_t> waiting = {first};
    found.component_of[first] = component;
    std::int64_t vertices = 0;
    std::int64_t ends = 0;
    std::int64_t loops = 0;
    while (!waiting.empty()) {
      const std::size_t v = waiting.back();
      waiting.pop_back();
      ++vertices;
      ends += graph.endpoints[v];
      loops += graph.self_loops[v];
      for (const GlobalVertex neighbour : graph.neighbours[v]) {
        if (found.component_of[at(neighbour)] >= 0) continue;
        found.component_of[at(neighbour)] = component;
        waiting.push_back(at(neighbour));
      }
    }
    found.vertices.push_back(vertices);
    found.edges.push_back(ends / 2);
    found.self_loops.push_back(loops);
  }
  return found;
}

}  // namespace isobath::reference
