// SPDX-License-Identifier: Apache-2.0
#include "reference/dijkstra.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "base/expects.hpp"
#include "reference/place.hpp"

namespace isobath::reference {
namespace {

void keep_lightest(std::vector<WeightedArc>& row) {
  std::sort(row.begin(), row.end(), [](const WeightedArc& a, const WeightedArc& b) {
    return std::pair(a.target, a.weight) < std::pair(b.target, b.weight);
  });
  const auto same_target = [](const WeightedArc& a, const WeightedArc& b) { return a.target == b.target; };
  row.erase(std::unique(row.begin(), row.end(), same_target), row.end());
}

}  // namespace

WeightedAdjacency weighted_adjacency(std::int64_t num_vertices, std::span<const Edge> edges,
                                     std::span<const float> weights) {
  ISOBATH_EXPECTS(edges.size() == weights.size());
  WeightedAdjacency graph(static_cast<std::size_t>(num_vertices));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    ISOBATH_EXPECTS(raw(edge.u) >= 0 && raw(edge.u) < num_vertices);
    ISOBATH_EXPECTS(raw(edge.v) >= 0 && raw(edge.v) < num_vertices);
    ISOBATH_EXPECTS(std::isfinite(weights[i]) && weights[i] >= 0);
    if (edge.u == edge.v) continue;
    graph[at(edge.u)].push_back({edge.v, weights[i]});
    graph[at(edge.v)].push_back({edge.u, weights[i]});
  }
  for (std::vector<WeightedArc>& row : graph) keep_lightest(row);
  return graph;
}

ShortestPathTree dijkstra(const WeightedAdjacency& graph, GlobalVertex root) {
  ShortestPathTree tree{std::vector<GlobalVertex>(graph.size(), no_vertex),
                        std::vector<float>(graph.size(), no_distance)};
  using Tentative = std::pair<float, GlobalVertex>;
  std::priority_queue<Tentative, std::vector<Tentative>, std::greater<>> heap;
  tree.parents[at(root)] = root;
  tree.distances[at(root)] = 0;
  heap.push({0.0F, root});
  while (!heap.empty()) {
    const auto [distance, source] = heap.top();
    heap.pop();
    if (distance > tree.distances[at(source)]) continue;  // it became smaller since
    for (const auto& [target, weight] : graph[at(source)]) {
      const float longer = distance + weight;
      if (!(longer < tree.distances[at(target)])) continue;
      tree.distances[at(target)] = longer;
      tree.parents[at(target)] = source;
      heap.push({longer, target});
    }
  }
  return tree;
}

}  // namespace isobath::reference
