// SPDX-License-Identifier: Apache-2.0
#include "sssp_case.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "reference/kronecker.hpp"
#include "reference/sssp_rules.hpp"

namespace isobath::test {
namespace {

std::string text(const std::array<RuleOutcome, num_sssp_rules>& rules) {
  std::string lines;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    lines += fmt::format("  {}: {} violations, first {} and {}\n", name_of(static_cast<SsspRule>(i)),
                         rules[i].violations, raw(rules[i].first_vertex), raw(rules[i].first_other));
  }
  return lines;
}

WeightedGraph with_weights_of(Graph graph, std::uint64_t seed, std::int64_t steps) {
  Random random(seed);
  std::vector<float> weights;
  for (std::size_t i = 0; i < graph.edges.size(); ++i)
    weights.push_back(static_cast<float>(draw(random, steps)) / static_cast<float>(steps));
  return {std::move(graph), std::move(weights)};
}

}  // namespace

WeightedGraph with_fine_weights(Graph graph, std::uint64_t seed) {
  graph.name += " with fine weights";
  return with_weights_of(std::move(graph), seed, std::int64_t{1} << 24);
}

WeightedGraph with_coarse_weights(Graph graph, std::uint64_t seed) {
  graph.name += " with coarse weights";
  return with_weights_of(std::move(graph), seed, 4);
}

WeightedGraph weighted_kronecker(int scale) {
  WeightedGraph graph{kronecker(scale), {}};
  for (std::size_t i = 0; i < graph.graph.edges.size(); ++i) {
    graph.weights.push_back(reference::kronecker_edge({.scale = scale}, static_cast<std::int64_t>(i)).weight);
  }
  return graph;
}

std::vector<WeightedGraph> odd_weighted_graphs() {
  std::vector<WeightedGraph> graphs;
  std::uint64_t seed = 1;
  for (const Graph& graph : odd_graphs()) {
    graphs.push_back(with_fine_weights(graph, seed++));
    graphs.push_back(with_coarse_weights(graph, seed++));
  }
  graphs.push_back({path(60), std::vector<float>(59, 0.0F)});  // all at distance 0
  return graphs;
}

PathAnswer right_path_answer(const reference::WeightedAdjacency& graph, GlobalVertex root, Random& random) {
  const reference::ShortestPathTree tree = reference::dijkstra(graph, root);
  PathAnswer answer{tree.parents, tree.distances};
  for (std::size_t v = 0; v < graph.size(); ++v) {
    Parents candidates;
    for (const auto& [neighbour, weight] : graph[v]) {
      const float nearer = tree.distances[at(neighbour)];
      if (nearer < tree.distances[v] && nearer + weight == tree.distances[v]) candidates.push_back(neighbour);
    }
    const bool is_reached = tree.parents[v] != no_vertex && v != at(root);
    if (is_reached && !candidates.empty()) answer.parents[v] = candidates[random() % candidates.size()];
  }
  return answer;
}

SsspValidation validate(const WeightedGraph& graph, const PathAnswer& answer, GlobalVertex root,
                        ClaimedEdges claimed, VertexFacts facts, std::optional<ExchangeLimits> limits) {
  const int rank = world().rank();
  const auto part = [](auto all, std::int64_t first, std::int64_t count) {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  const std::vector<Edge>& edges = graph.graph.edges;
  const auto share = edge_share(static_cast<std::int64_t>(edges.size()), rank, world().size());
  const std::int64_t length = share.second - share.first;
  const SpanWeightedEdgeStream stream(graph.graph.num_vertices, part(std::span(edges), share.first, length),
                                      part(std::span(graph.weights), share.first, length));
  const BlockPartition partition(graph.graph.num_vertices, world().size());
  SsspValidator validator(world(), partition, stream, facts, limits);
  const std::int64_t first = partition.first(rank);
  return validator.validate(root, part(std::span(answer.parents), first, partition.size(rank)),
                            part(std::span(answer.distances), first, partition.size(rank)), claimed);
}

SsspValidation expect_the_twins_verdict(const WeightedGraph& graph, const PathAnswer& answer,
                                        GlobalVertex root, ClaimedEdges claimed) {
  const reference::SsspVerdict expected =
      reference::validate_sssp(graph.graph.edges, graph.weights, answer.parents, answer.distances, root,
                               claimed.without_self_loops, claimed.self_loops);
  std::array<RuleOutcome, num_sssp_rules> rules;
  std::transform(
      expected.rules.begin(), expected.rules.end(), rules.begin(),
      [](const reference::Rule& rule) { return RuleOutcome{rule.violations, rule.vertex, rule.other}; });
  struct Way {
    const char* name;
    VertexFacts facts;
    std::optional<ExchangeLimits> limits;
  };
  std::vector<Way> ways = {{"facts asked for", VertexFacts::asked, {}},
                           {"facts gathered", VertexFacts::gathered, {}}};
  // On other numbers of ranks the rules say the same in parts (EdgeRules, DistanceRules).
  if (world().size() == 2 || world().size() == 3)
    ways.push_back({"in parts", VertexFacts::asked, tight_limits(graph.graph.edges.size())});
  SsspValidation found;
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    found = validate(graph, answer, root, claimed, way.facts, way.limits);
    EXPECT_EQ(found.rules, rules) << graph.name() << "\nfound\n"
                                  << text(found.rules) << "expected\n"
                                  << text(rules);
    EXPECT_EQ(found.passed(), expected.passed()) << graph.name();
    EXPECT_EQ(found.first_violation().empty(), expected.passed()) << graph.name();
    EXPECT_EQ(found.counted.traversed_edges, expected.traversed_edges) << graph.name();
    EXPECT_EQ(found.counted.self_loops, expected.self_loops) << graph.name();
    EXPECT_EQ(found.vertices_reached, expected.vertices_reached) << graph.name();
    EXPECT_EQ(found.tree_levels, expected.tree_levels) << graph.name();
    EXPECT_DOUBLE_EQ(found.distance_sum, expected.distance_sum) << graph.name();
    EXPECT_EQ(found.distance_max, expected.distance_max) << graph.name();
  }
  return found;
}

}  // namespace isobath::test
