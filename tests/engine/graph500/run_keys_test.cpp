// SPDX-License-Identifier: Apache-2.0
#include "graph500/run_keys.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fake_plan.hpp"
#include "mpi_main.hpp"
#include "reference/kronecker.hpp"

namespace isobath {
namespace {

using test::FakePlan;
using test::world;

Edge pair_of(std::int64_t u, std::int64_t v) { return {GlobalVertex{u}, GlobalVertex{v}}; }

std::vector<GlobalVertex> numbered(std::vector<std::int64_t> numbers) {
  std::vector<GlobalVertex> vertices;
  for (const std::int64_t number : numbers) vertices.push_back(GlobalVertex{number});
  return vertices;
}

std::string key_refusal(const Benchmark& benchmark, const SearchPlan& plan) {
  try {
    keys_of_run(benchmark, plan);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

/// Vertices 0 to 5; 2 has a self-loop alone, 3 has no edge.
FakePlan small_plan() { return {6, {pair_of(0, 1), pair_of(4, 5), pair_of(2, 2), pair_of(5, 0)}, world()}; }

TEST(RunKeys, SampledOnesAreThoseOfThePlanlessTwin) {
  for (const int scale : {3, 6, 8}) {
    const std::vector<Edge> edges = reference::kronecker({.scale = scale, .edgefactor = 2});
    const FakePlan plan(std::int64_t{1} << scale, edges, world());
    Benchmark benchmark;
    benchmark.graph = {.scale = scale, .edgefactor = 2};
    benchmark.keys = 20;
    const auto by_edges = [&edges](std::span<const GlobalVertex> vertices) {
      std::vector<char> answers;
      for (const GlobalVertex v : vertices) {
        answers.push_back(
            std::ranges::any_of(
                edges, [v](const Edge& edge) { return edge.u != edge.v && (edge.u == v || edge.v == v); })
                ? 1
                : 0);
      }
      return answers;
    };
    EXPECT_EQ(keys_of_run(benchmark, plan), sample_search_keys(benchmark.graph, 20, by_edges)) << scale;
  }
}

TEST(RunKeys, VerticesThatConstructionDidNotFindHaveNoNeighbour) {
  const FakePlan plan = small_plan();
  Benchmark benchmark;
  benchmark.keys = 4;
  benchmark.sample_keys = [](int wanted, const HasNeighbour& has_neighbour) {
    EXPECT_EQ(wanted, 4);
    const std::vector<GlobalVertex> asked = numbered({100, 5, 6, 0, 2, 3, 1, 7});
    EXPECT_EQ(has_neighbour(asked), (std::vector<char>{0, 1, 0, 1, 0, 0, 1, 0}));
    return numbered({5, 1});
  };
  EXPECT_EQ(keys_of_run(benchmark, plan), numbered({5, 1}));
}

TEST(RunKeys, GivenRootsAreTakenAsTheyStand) {
  const FakePlan plan = small_plan();
  Benchmark benchmark;
  benchmark.keys = 64;
  benchmark.roots = numbered({5, 0, 5, 4});
  EXPECT_EQ(keys_of_run(benchmark, plan), benchmark.roots);
}

TEST(RunKeys, SaysWhichRootCannotBeSearchedFrom) {
  const FakePlan plan = small_plan();
  Benchmark benchmark;
  for (const std::int64_t root : {2, 3, 6, 1000}) {
    benchmark.roots = numbered({0, root, 3});
    EXPECT_EQ(key_refusal(benchmark, plan),
              "--root " + std::to_string(root) + " has no neighbour; choose another vertex");
  }
  benchmark.id_of = [](GlobalVertex v) { return 1000 + raw(v); };
  benchmark.roots = numbered({3});
  EXPECT_EQ(key_refusal(benchmark, plan), "--root 1003 has no neighbour; choose another vertex");
}

TEST(RunKeys, AGraphWithoutEdgesHasNothingToSearch) {
  const FakePlan plan(8, {pair_of(3, 3)}, world());
  Benchmark benchmark;
  benchmark.graph = {.scale = 3};
  EXPECT_EQ(key_refusal(benchmark, plan),
            "no vertex of this graph has a neighbour, so there is nothing to search; use a larger graph");
}

}  // namespace
}  // namespace isobath
