// SPDX-License-Identifier: Apache-2.0
#include "sssp/weighted_graphs.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "reference/adjacency.hpp"
#include "reference/dijkstra.hpp"
#include "reference/sssp_rules.hpp"

namespace isobath::test {
namespace {

constexpr float step = 1.0F / 2147483648.0F;  // 2^-31, of the benchmark's weights

float weight_of(Weighing weighing, std::uint32_t draw) {
  switch (weighing) {
    case Weighing::uniform:
      return static_cast<float>(draw >> 1) * step;
    case Weighing::none:
      return 0;
    case Weighing::equal:
      return 0.5F;
    case Weighing::coarse:
      return static_cast<float>(draw % 9) / 8;
    case Weighing::tiny:
      break;
  }
  return draw % 3 == 0 ? static_cast<float>(draw / 3 % 5) * step
                       : 1 - static_cast<float>(draw % 7) * 0x1p-24F;
}

}  // namespace

std::string name_of(Weighing weighing) {
  constexpr const char* names[] = {"uniform", "none", "equal", "coarse", "tiny"};
  return names[static_cast<std::size_t>(weighing)];
}

WeightedGraph weighted(SampleGraph graph, Weighing weighing) {
  std::mt19937 draws(17);
  std::vector<float> weights;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    weights.push_back(weight_of(weighing, static_cast<std::uint32_t>(draws())));
  }
  graph.name += ", weights " + name_of(weighing);
  return {std::move(graph), std::move(weights)};
}

SpanWeightedEdgeStream share_of(const WeightedGraph& graph, int rank, int ranks) {
  const auto [first, end] = edge_share(static_cast<std::int64_t>(graph.graph.edges.size()), rank, ranks);
  const auto begin = static_cast<std::size_t>(first);
  const auto count = static_cast<std::size_t>(end - first);
  return SpanWeightedEdgeStream(graph.graph.num_vertices,
                                std::span<const Edge>(graph.graph.edges).subspan(begin, count),
                                std::span<const float>(graph.weights).subspan(begin, count));
}

std::vector<GlobalVertex> path_roots(const WeightedGraph& graph, std::size_t wanted) {
  const reference::Adjacency adjacency = reference::adjacency(graph.graph.num_vertices, graph.graph.edges);
  const reference::Components components = reference::components(adjacency);
  std::vector<GlobalVertex> first;
  std::vector<GlobalVertex> others;
  std::vector<char> has_root(adjacency.neighbours.size(), 0);
  for (std::int64_t v = 0; v < graph.graph.num_vertices; ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (adjacency.neighbours[at].empty()) continue;
    char& has = has_root[static_cast<std::size_t>(components.component_of[at])];
    (has != 0 ? others : first).push_back(GlobalVertex{v});
    has = 1;
  }
  // Spread over the vertices, whatever their order means.
  std::vector<GlobalVertex> roots;
  const auto take = [&](const std::vector<GlobalVertex>& from, std::size_t count) {
    const std::size_t step = std::max<std::size_t>(1, from.size() / std::max<std::size_t>(1, count));
    for (std::size_t i = 0; i < from.size() && count > 0; i += step, --count) roots.push_back(from[i]);
  };
  take(first, wanted / 2 + 1);
  take(others, wanted - std::min(wanted, roots.size()));
  return roots;
}

std::string complaint_about_paths(const WeightedGraph& graph, GlobalVertex root,
                                  std::span<const GlobalVertex> parents, std::span<const float> distances) {
  const std::string where = fmt::format("{} from {}: ", graph.graph.name, raw(root));
  const reference::ShortestPathTree right = reference::dijkstra(
      reference::weighted_adjacency(graph.graph.num_vertices, graph.graph.edges, graph.weights), root);
  for (std::size_t v = 0; v < distances.size(); ++v) {
    if (std::bit_cast<std::uint32_t>(distances[v]) != std::bit_cast<std::uint32_t>(right.distances[v])) {
      return where + fmt::format("distance of {} is {} and not {}", v, distances[v], right.distances[v]);
    }
  }
  const reference::SsspVerdict verdict =
      reference::validate_sssp(graph.graph.edges, graph.weights, parents, distances, root);
  for (std::size_t rule = 0; rule < verdict.rules.size(); ++rule) {
    if (verdict.rules[rule].violations > 0) return where + fmt::format("rule {} is broken", rule);
  }
  return "";
}

}  // namespace isobath::test
