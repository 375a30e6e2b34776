// SPDX-License-Identifier: Apache-2.0
// Every plan for shortest paths against the serial twin, distance by distance, and against the rules.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "reference/adjacency.hpp"
#include "reference/dijkstra.hpp"
#include "reference/kronecker.hpp"
#include "sssp/registered_path_plan.hpp"
#include "validate/sssp_rules.hpp"

namespace isobath::test {
namespace {

struct Sample {
  std::int64_t num_vertices = 0;
  std::vector<Edge> edges;
  std::vector<float> weights;
};

Sample kronecker_sample(int scale) {
  Sample sample{std::int64_t{1} << scale, {}, {}};
  for (std::int64_t i = 0; i < 16 * sample.num_vertices; ++i) {
    const reference::WeightedEdge edge = reference::kronecker_edge({.scale = scale}, i);
    sample.edges.push_back(edge.edge);
    sample.weights.push_back(edge.weight);
  }
  return sample;
}

/// Weights are multiples of 1 / steps: few steps make ties, and edges that add nothing.
Sample random_sample(std::int64_t num_vertices, std::int64_t num_edges, std::uint64_t steps) {
  Sample sample{num_vertices, {}, {}};
  std::mt19937_64 random(steps);
  const auto vertex = [&] {
    return GlobalVertex{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(num_vertices))};
  };
  for (std::int64_t i = 0; i < num_edges; ++i) {
    const GlobalVertex u = vertex();
    sample.edges.push_back({u, vertex()});
    sample.weights.push_back(static_cast<float>(random() % steps) / static_cast<float>(steps));
  }
  return sample;
}

Sample path_sample(std::int64_t num_vertices) {
  Sample sample{num_vertices, {}, {}};
  for (std::int64_t v = 1; v < num_vertices; ++v) {
    sample.edges.push_back({GlobalVertex{v}, GlobalVertex{v - 1}});
    sample.weights.push_back(static_cast<float>(v % 3));
  }
  return sample;
}

std::vector<Sample> samples() {
  return {kronecker_sample(6),
          kronecker_sample(9),
          random_sample(200, 260, 4),
          random_sample(300, 2000, 1U << 24U),
          random_sample(64, 40, 2),
          path_sample(150),
          {5, {{GlobalVertex{2}, GlobalVertex{2}}, {GlobalVertex{1}, GlobalVertex{4}}}, {0.5F, 0}}};
}

class PathPlans : public testing::TestWithParam<std::string> {};

TEST_P(PathPlans, FindTheTwinsDistancesFromEveryRoot) {
  for (const Sample& sample : samples()) {
    const reference::Adjacency adjacency = reference::adjacency(sample.num_vertices, sample.edges);
    const reference::Components components = reference::components(adjacency);
    const reference::WeightedAdjacency weighted =
        reference::weighted_adjacency(sample.num_vertices, sample.edges, sample.weights);
    const auto share = edge_share(std::ssize(sample.edges), world().rank(), world().size());
    const auto first = static_cast<std::size_t>(share.first);
    const auto length = static_cast<std::size_t>(share.second - share.first);
    const SpanWeightedEdgeStream stream(sample.num_vertices, std::span(sample.edges).subspan(first, length),
                                        std::span(sample.weights).subspan(first, length));
    PhaseObserver nobody;
    const auto plan =
        construct_path_plan(GetParam(), stream, world(), {.shape = {world().size(), 1}}, nobody);
    const BlockPartition& blocks = plan->partition();
    SsspValidator validator(world(), blocks, stream);
    SearchObserver unwatched;
    std::vector<GlobalVertex> vertices;
    for (std::int64_t v = 0; v < sample.num_vertices; ++v) vertices.push_back(GlobalVertex{v});
    const std::vector<char> usable = plan->has_neighbour(vertices);
    for (std::int64_t v = 0; v < sample.num_vertices; v += 1 + sample.num_vertices / 7) {
      const auto at = static_cast<std::size_t>(v);
      EXPECT_EQ(usable[at] != 0, !adjacency.neighbours[at].empty());
      if (adjacency.neighbours[at].empty()) continue;
      const GlobalVertex root{v};

      const FoundTree found = plan->search(root, unwatched);

      const reference::ShortestPathTree twin = reference::dijkstra(weighted, root);
      const auto own = static_cast<std::size_t>(blocks.first(world().rank()));
      const std::vector<float> expected(
          twin.distances.begin() + static_cast<std::ptrdiff_t>(own),
          twin.distances.begin() + static_cast<std::ptrdiff_t>(own + found.distances.size()));
      EXPECT_EQ(std::vector(found.distances.begin(), found.distances.end()), expected);
      const TraversedEdges edges = plan->traversed_edges(root);
      const auto component = static_cast<std::size_t>(components.component_of[at]);
      EXPECT_EQ(edges.without_self_loops, components.edges[component]);
      EXPECT_EQ(edges.self_loops, components.self_loops[component]);
      const SsspValidation verdict = validator.validate(root, found.parents, found.distances,
                                                        {edges.without_self_loops, edges.self_loops});
      EXPECT_TRUE(verdict.passed()) << verdict.first_violation();
    }
    EXPECT_EQ(plan->facts().num_edges, std::ssize(sample.edges));
    EXPECT_EQ(plan->facts().self_loops, adjacency.num_self_loops());
  }
}

INSTANTIATE_TEST_SUITE_P(Each, PathPlans, testing::ValuesIn(path_plan_names()),
                         [](const auto& name) { return std::to_string(name.index); });

TEST(PathPlan, ThatCannotDoAsAskedIsRefused) {
  PhaseObserver nobody;
  const Sample sample = path_sample(3);
  const SpanWeightedEdgeStream stream(3, sample.edges, sample.weights);
  EXPECT_THROW(construct_path_plan("gamma", stream, world(), {}, nobody), UsageError);
  EXPECT_THROW(prunes("gamma", ""), UsageError);
  EXPECT_THROW(prunes("bellman-ford", "on"), UsageError);
  EXPECT_THROW(prunes("landmark", "off"), UsageError);
  EXPECT_TRUE(prunes("landmark", ""));
  EXPECT_FALSE(prunes(default_path_plan(true), ""));
}

TEST(PathPlan, IsConstructedUnderItsNameOrNotAtAll) {
  PhaseObserver nobody;
  const Sample sample = path_sample(3);
  const auto share = edge_share(std::ssize(sample.edges), world().rank(), world().size());
  const auto first = static_cast<std::size_t>(share.first);
  const auto length = static_cast<std::size_t>(share.second - share.first);
  const SpanWeightedEdgeStream stream(3, std::span(sample.edges).subspan(first, length),
                                      std::span(sample.weights).subspan(first, length));
  const PathOptions options{.shape = {world().size(), 1}};
  EXPECT_EQ(path_plan_names(), (std::vector<std::string>{"landmark", "delta-stepping", "bellman-ford"}));
  for (const std::string& name : path_plan_names()) {
    const auto plan = construct_path_plan(name, stream, world(), options, nobody);
    EXPECT_EQ(plan->name(), name);
    EXPECT_EQ(plan->is_pruned(), prunes(name, "")) << name;
    EXPECT_FALSE(plan->check_construction(stream).has_value()) << name;
  }
  const RegisteredPathPlan listed{.name = "listed"};
  const WeightedEdgeStream& edges = stream;
  EXPECT_THROW(construct_registered(listed, edges, world(), options, nobody), InternalError);
}

TEST(PathPlan, TakesAWidthOfBucketsWhereItHasBuckets) {
  EXPECT_NO_THROW(expect_takes_delta("delta-stepping"));
  for (const std::string_view name : {"landmark", "bellman-ford", "auto"}) {
    EXPECT_THROW(expect_takes_delta(name), UsageError) << name;
  }
}

/// Before edges are generated: landmark has 2^31 vertices on any grid, delta-stepping as many in a grid row
/// or column, and on several grid columns 2^40.
TEST(PathPlan, SaysEarlyWhetherItCanNumberTheVertices) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  EXPECT_NO_THROW(require_fitting_path_numbers("landmark", most, {4, 4}));
  EXPECT_THROW(require_fitting_path_numbers("landmark", most + 1, {4, 4}), RefusedError);
  for (const std::string_view name : {"delta-stepping", "auto"}) {
    EXPECT_NO_THROW(require_fitting_path_numbers(name, most, {16, 1})) << name;
    EXPECT_THROW(require_fitting_path_numbers(name, most + 1, {16, 1}), RefusedError) << name;
    EXPECT_NO_THROW(require_fitting_path_numbers(name, std::int64_t{1} << 42, {316, 316})) << name;
  }
  EXPECT_THROW(require_fitting_path_numbers("none", most, {1, 1}), UsageError);
}

/// Rank 0 has all edges, more than it sends at once; the others have none.
TEST(BellmanFord, TakesEdgesInSeveralPieces) {
  const Sample sample = random_sample(1000, 300'000, 1U << 20U);
  const reference::Adjacency adjacency = reference::adjacency(sample.num_vertices, sample.edges);
  const std::size_t here = world().rank() == 0 ? sample.edges.size() : 0;
  const SpanWeightedEdgeStream stream(sample.num_vertices, std::span(sample.edges).first(here),
                                      std::span(sample.weights).first(here));
  PhaseObserver nobody;
  SearchObserver unwatched;
  const auto plan = construct_path_plan("bellman-ford", stream, world(), {}, nobody);
  EXPECT_EQ(plan->facts().self_loops, adjacency.num_self_loops());
  EXPECT_EQ(plan->facts().stored_arcs, 2 * (std::ssize(sample.edges) - adjacency.num_self_loops()));
  EXPECT_EQ(plan->facts().max_degree_with_duplicates,
            *std::max_element(adjacency.endpoints.begin(), adjacency.endpoints.end()));

  const GlobalVertex root{7};
  const FoundTree found = plan->search(root, unwatched);

  const reference::ShortestPathTree twin = reference::dijkstra(
      reference::weighted_adjacency(sample.num_vertices, sample.edges, sample.weights), root);
  const auto own = static_cast<std::size_t>(plan->partition().first(world().rank()));
  for (std::size_t v = 0; v < found.distances.size(); ++v) {
    ASSERT_EQ(found.distances[v], twin.distances[own + v]) << "vertex " << own + v;
  }
}

TEST(BellmanFord, TellsItsRounds) {
  struct Rounds final : SearchObserver {
    void level_started(Level, Direction, std::int64_t active_here) override { active.push_back(active_here); }
    std::vector<std::int64_t> active;
  } rounds;
  const Sample sample = path_sample(5);  // 0 1 2 3 4
  const auto share = edge_share(4, world().rank(), world().size());
  const auto first = static_cast<std::size_t>(share.first);
  const auto length = static_cast<std::size_t>(share.second - share.first);
  const SpanWeightedEdgeStream stream(5, std::span(sample.edges).subspan(first, length),
                                      std::span(sample.weights).subspan(first, length));
  PhaseObserver nobody;
  const auto plan = construct_path_plan("bellman-ford", stream, world(), {}, nobody);

  plan->search(GlobalVertex{2}, rounds);

  EXPECT_EQ(rounds.active, (std::vector<std::int64_t>{1, 2, 2}));
}

}  // namespace
}  // namespace isobath::test
