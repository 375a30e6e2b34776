// SPDX-License-Identifier: Apache-2.0
// Searches of the benchmark's own graphs against the facts that the Graph500 reference program computed
// (tests/data/graph500.jsonl).
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_search.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "generator/edge_store.hpp"
#include "generator/search_keys.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using nlohmann::json;

std::vector<json> golden_facts(int first_scale, int last_scale) {
  std::vector<json> facts;
  std::ifstream file(ISOBATH_TEST_DATA "/graph500.jsonl");
  for (std::string line; std::getline(file, line);) {
    json fact = json::parse(line);
    if (fact["scale"] >= first_scale && fact["scale"] <= last_scale) facts.push_back(std::move(fact));
  }
  return facts;
}

/// What a tree says of itself.
json summary_of(std::span<const GlobalVertex> parents, GlobalVertex root, const TraversedEdges& edges) {
  std::vector<std::int64_t> vertices_per_level;
  for (const Level level : test::levels_of(parents, root)) {
    if (level < 0) continue;
    const auto needed = static_cast<std::size_t>(level) + 1;
    if (vertices_per_level.size() < needed) vertices_per_level.resize(needed);
    ++vertices_per_level[needed - 1];
  }
  std::int64_t reached = 0;
  for (const std::int64_t vertices : vertices_per_level) reached += vertices;
  return {{"key", raw(root)},
          {"reached", reached},
          {"max_level", vertices_per_level.size() - 1},
          {"traversed_edges_without_loops", edges.without_self_loops},
          {"self_loops_in_component", edges.self_loops},
          {"vertices_per_level", vertices_per_level}};
}

void expect_golden(const json& fact, GridShape shape, std::size_t searches) {
  const Communicator& world = test::world();
  const KroneckerParameters parameters{.scale = fact["scale"], .edgefactor = fact["edgefactor"]};
  const std::string where = fmt::format("scale {} on {}", parameters.scale, shape.text());
  const auto edges = make_edge_store(EdgeStorage::memory, parameters, world.rank(), world.size());
  PhaseObserver nobody;
  SearchObserver silent;
  GridSearch plan(*edges, world, {shape}, nobody);
  EXPECT_EQ(plan.facts().num_edges, fact["edges"]) << where;
  EXPECT_EQ(plan.facts().self_loops, fact["self_loops"]) << where;
  EXPECT_EQ(plan.facts().isolated_vertices, fact["isolated_vertices"]) << where;
  EXPECT_EQ(plan.facts().distinct_edges, fact["distinct_edges"]) << where;
  EXPECT_EQ(plan.facts().max_degree_with_duplicates, fact["max_degree_with_duplicates"]) << where;

  const auto keys = sample_search_keys(
      parameters, 64, [&](std::span<const GlobalVertex> v) { return plan.has_neighbour(v); });
  std::vector<std::int64_t> values;
  for (const GlobalVertex key : keys) values.push_back(raw(key));
  EXPECT_EQ(json(values), fact["search_keys"]) << where;

  const json& expected = fact["searches"];
  for (std::size_t k = 0; k < std::min(searches, expected.size()); ++k) {
    const GlobalVertex root{expected[k]["key"].get<std::int64_t>()};
    const auto parents = world.allgatherv<GlobalVertex>(plan.search(root, silent).parents);
    const TraversedEdges counted = plan.traversed_edges(root);
    if (world.rank() != 0) continue;
    EXPECT_EQ(summary_of(parents, root, counted), expected[k]) << where;
  }
}

TEST(GoldenFacts, HoldForEverySearchUpToScale14) {
  const std::vector<json> facts = golden_facts(1, 14);
  ASSERT_GE(facts.size(), 4U);
  const std::vector<GridShape> shapes = test::shapes_of(test::world().size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    // All searches on one grid, in turn; some on the others.
    for (std::size_t s = 0; s < shapes.size(); ++s)
      expect_golden(facts[i], shapes[s], s == i % shapes.size() ? 64 : 5);
  }
}

TEST(GoldenFacts, HoldForSearchesOfLargerGraphs) {
  // Ranks share two cores: only one of them, and several of the smaller scale, get the larger graphs in time.
  const int last = test::world().size() == 1 ? 18 : 16;
  const std::vector<json> facts = golden_facts(16, last);
  ASSERT_GE(facts.size(), 1U);
  for (const json& fact : facts) expect_golden(fact, GridShape::squarest(test::world().size()), 8);
}

}  // namespace
}  // namespace isobath
