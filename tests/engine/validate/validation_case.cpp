// SPDX-License-Identifier: Apache-2.0
#include "validation_case.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "reference/kronecker.hpp"

namespace isobath::test {
namespace {

Edge edge(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

std::string text(const std::array<RuleOutcome, num_bfs_rules>& rules) {
  std::string lines;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    lines += fmt::format("  {}: {} violations, first {} and {}\n", name_of(static_cast<BfsRule>(i)),
                         rules[i].violations, raw(rules[i].first_vertex), raw(rules[i].first_other));
  }
  return lines;
}

}  // namespace

Graph star(std::int64_t num_vertices) {
  Graph graph{fmt::format("star of {}", num_vertices), num_vertices, {}};
  for (std::int64_t v = 1; v < num_vertices; ++v) graph.edges.push_back(v % 2 == 0 ? edge(0, v) : edge(v, 0));
  return graph;
}

Graph path(std::int64_t num_vertices) {
  Graph graph{fmt::format("path of {}", num_vertices), num_vertices, {}};
  for (std::int64_t v = 1; v < num_vertices; ++v) graph.edges.push_back(edge(v - 1, v));
  return graph;
}

Graph reversed_path(std::int64_t num_vertices) {
  Graph graph = path(num_vertices);
  graph.name = "reversed " + graph.name;
  for (Edge& joined : graph.edges) {
    joined = edge(num_vertices - 1 - raw(joined.u), num_vertices - 1 - raw(joined.v));
  }
  return graph;
}

Graph scattered_path(std::int64_t num_vertices) {
  Graph graph = path(num_vertices);
  graph.name = "scattered " + graph.name;
  std::vector<GlobalVertex> label(static_cast<std::size_t>(num_vertices));
  for (std::int64_t v = 0; v < num_vertices; ++v) label[static_cast<std::size_t>(v)] = GlobalVertex{v};
  Random random(7);
  for (std::int64_t v = num_vertices - 1; v > 1; --v) {  // vertex 0 stays the end
    std::swap(label[static_cast<std::size_t>(v)], label[static_cast<std::size_t>(1 + draw(random, v))]);
  }
  for (Edge& joined : graph.edges) joined = {label[at(joined.u)], label[at(joined.v)]};
  return graph;
}

Graph ladder(std::int64_t num_rungs) {
  Graph graph{fmt::format("ladder of {} rungs", num_rungs), 3 * num_rungs, {}};
  for (std::int64_t rung = 0; rung < num_rungs; ++rung) {
    const std::int64_t v = 3 * rung;
    graph.edges.push_back(edge(v, v + 1));
    graph.edges.push_back(edge(v + 2, v));
    if (rung + 1 == num_rungs) break;
    graph.edges.push_back(edge(v + 3, v));
    graph.edges.push_back(edge(v + 1, v + 4));
    graph.edges.push_back(edge(v + 1, v + 3));
  }
  return graph;
}

Graph cycle(std::int64_t num_vertices) {
  Graph graph = path(num_vertices);
  graph.name = fmt::format("cycle of {}", num_vertices);
  graph.edges.push_back(edge(num_vertices - 1, 0));
  return graph;
}

Graph two_components(std::int64_t num_vertices) {
  Graph graph = random_multigraph(num_vertices, 3 * num_vertices, 5);
  graph.name = fmt::format("two components in {}", num_vertices);
  for (Edge& joined : graph.edges) joined.v = GlobalVertex{raw(joined.v) / 2 * 2 + raw(joined.u) % 2};
  return graph;
}

Graph only_self_loops(std::int64_t num_vertices) {
  Graph graph{fmt::format("{} vertices with only self-loops", num_vertices), num_vertices, {}};
  for (std::int64_t v = 0; v < num_vertices; ++v) graph.edges.insert(graph.edges.end(), 2, edge(v, v));
  return graph;
}

Graph duplicates(std::int64_t num_vertices) {
  Graph graph = random_multigraph(num_vertices, num_vertices, 3);
  graph.name = fmt::format("every edge three times, {} vertices", num_vertices);
  const std::vector<Edge> once = graph.edges;
  for (const Edge& joined : once) {
    graph.edges.push_back(joined);
    graph.edges.push_back({joined.v, joined.u});
  }
  return graph;
}

Graph random_multigraph(std::int64_t num_vertices, std::int64_t num_edges, std::uint64_t seed) {
  Graph graph{
      fmt::format("random multigraph {} x {} from seed {}", num_vertices, num_edges, seed), num_vertices, {}};
  Random random(seed);
  for (std::int64_t k = 0; k < num_edges; ++k) {
    const std::int64_t u = draw(random, num_vertices);
    graph.edges.push_back(edge(u, draw(random, num_vertices)));
  }
  return graph;
}

Graph kronecker(int scale) {
  return {fmt::format("Kronecker graph of scale {}", scale), std::int64_t{1} << scale,
          reference::kronecker({.scale = scale})};
}

std::vector<Graph> odd_graphs() {
  return {star(40),
          path(100),
          reversed_path(100),
          scattered_path(100),
          ladder(40),
          cycle(90),
          two_components(64),
          only_self_loops(9),
          only_self_loops(1),
          duplicates(30),
          Graph{"one vertex", 1, {}},
          path(2),
          path(3),  // fewer vertices than ranks
          star(5),
          random_multigraph(7, 5, 1),
          random_multigraph(100, 60, 2),
          random_multigraph(500, 3000, 4)};
}

Parents right_answer(const reference::Adjacency& graph, GlobalVertex root, Random& random) {
  const std::vector<Level> levels = reference::bfs(graph, root).levels;
  Parents parents(levels.size(), no_vertex);
  for (std::size_t v = 0; v < levels.size(); ++v) {
    if (levels[v] == reference::no_level) continue;
    Parents candidates;
    for (const GlobalVertex neighbour : graph.neighbours[v]) {
      if (levels[at(neighbour)] == levels[v] - 1) candidates.push_back(neighbour);
    }
    parents[v] = levels[v] == 0 ? root : candidates[random() % candidates.size()];
  }
  return parents;
}

BfsValidation validate(const Graph& graph, const Parents& parents, GlobalVertex root, ClaimedEdges claimed,
                       ListCopy copy, VertexFacts facts, std::optional<ExchangeLimits> limits) {
  const int rank = world().rank();
  const auto part = [](auto all, std::int64_t first, std::int64_t count) {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  const auto share = edge_share(static_cast<std::int64_t>(graph.edges.size()), rank, world().size());
  const SpanEdgeStream stream(graph.num_vertices,
                              part(std::span(graph.edges), share.first, share.second - share.first));
  const BlockPartition partition(graph.num_vertices, world().size());
  BfsValidator validator(world(), partition, stream, copy, facts, limits);
  return validator.validate(root, part(std::span(parents), partition.first(rank), partition.size(rank)),
                            claimed);
}

ExchangeLimits tight_limits(std::size_t num_edges) {
  const std::int64_t half = static_cast<std::int64_t>(num_edges) / world().size() / 2;
  const std::int64_t chunk = 2 * std::max<std::int64_t>(2, half);
  return {.chunk = chunk, .arriving = std::max<std::int64_t>(1, chunk / 4)};
}

BfsValidation expect_the_twins_verdict(const Graph& graph, const Parents& parents, GlobalVertex root,
                                       ClaimedEdges claimed) {
  const reference::Verdict expected =
      reference::validate_bfs(graph.edges, parents, root, claimed.without_self_loops, claimed.self_loops);
  std::array<RuleOutcome, num_bfs_rules> rules;
  std::transform(
      expected.rules.begin(), expected.rules.end(), rules.begin(),
      [](const reference::Rule& rule) { return RuleOutcome{rule.violations, rule.vertex, rule.other}; });
  std::int64_t reached = 0;
  for (const std::int64_t vertices : expected.vertices_per_level) reached += vertices;
  struct Way {
    const char* name;
    ListCopy copy;
    VertexFacts facts;
    std::optional<ExchangeLimits> limits;
  };
  std::vector<Way> ways = {{"owners asked", ListCopy::no, VertexFacts::asked, {}},
                           {"with a copy of the list", ListCopy::yes, VertexFacts::gathered, {}}};
  // On other numbers of ranks the rules say the same in parts (EdgeRules, DistanceRules).
  if (world().size() == 2 || world().size() == 3)
    ways.push_back({"in parts", ListCopy::no, VertexFacts::asked, tight_limits(graph.edges.size())});
  // Of a wrong answer the copy says nothing, and the facts that were gathered are looked at.
  if (expected.passed() && world().size() > 1) {
    ways.push_back({"facts gathered", ListCopy::no, VertexFacts::gathered, {}});
  }
  BfsValidation found;
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    found = validate(graph, parents, root, claimed, way.copy, way.facts, way.limits);
    EXPECT_EQ(found.rules, rules) << graph.name << "\nfound\n"
                                  << text(found.rules) << "expected\n"
                                  << text(rules);
    EXPECT_EQ(found.passed(), expected.passed()) << graph.name;
    EXPECT_EQ(found.first_violation().empty(), expected.passed()) << graph.name;
    EXPECT_EQ(found.traversed_edges, expected.traversed_edges) << graph.name;
    EXPECT_EQ(found.self_loops, expected.self_loops) << graph.name;
    EXPECT_EQ(found.vertices_per_level, expected.vertices_per_level) << graph.name;
    EXPECT_EQ(found.vertices_reached, reached) << graph.name;
  }
  return found;
}

bool is_tried_here(int trial, int kinds) { return trial / kinds % world().size() == 0; }

int most_graphs_of_a_mutation() { return world().size() == 1 ? std::numeric_limits<int>::max() : 3; }

ClaimedEdges right_claims(const reference::Adjacency& graph, GlobalVertex root) {
  const reference::Components components = reference::components(graph);
  const auto component = static_cast<std::size_t>(components.component_of[at(root)]);
  return {components.edges[component], components.self_loops[component]};
}

}  // namespace isobath::test
