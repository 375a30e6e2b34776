// SPDX-License-Identifier: Apache-2.0
// Right answers for shortest paths, and wrong ones worked out by hand.
#include "validate/sssp_rules.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "mpi_main.hpp"
#include "sssp_case.hpp"

namespace isobath::test {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

Parents parents_of(std::initializer_list<std::int64_t> values) {
  Parents parents;
  for (const std::int64_t value : values) parents.push_back(GlobalVertex{value});
  return parents;
}

/// A triangle 0 1 2 with a tail 2 3 4, twice the edge 3 4, a self-loop at 3, and a pair 5 6 apart.
WeightedGraph triangle_with_tail() {
  WeightedGraph graph{{"triangle with tail", 8, {}}, {0.25F, 0.25F, 1, 0.5F, 0.5F, 0.125F, 0, 0.5F}};
  for (const auto& [u, v] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {3, 3}, {5, 6}}) {
    graph.graph.edges.push_back({GlobalVertex{u}, GlobalVertex{v}});
  }
  return graph;
}
const Distances right_distances = {0, 0.25F, 0.5F, 1, 1.125F, never, never, never};

TEST(SsspRules, PassARightAnswerAndCountItsEdges) {
  const SsspValidation found =
      validate(triangle_with_tail(), {parents_of({0, 0, 1, 2, 3, -1, -1, -1}), right_distances},
               GlobalVertex{0}, {6, 1});

  EXPECT_TRUE(found.passed()) << found.first_violation();
  EXPECT_EQ(found.first_violation(), "");
  EXPECT_EQ(found.counted.traversed_edges, 6);
  EXPECT_EQ(found.counted.self_loops, 1);
  EXPECT_EQ(found.vertices_reached, 5);
  EXPECT_EQ(found.tree_levels, 5);
  EXPECT_EQ(found.distance_sum, 2.875);
  EXPECT_EQ(found.distance_max, 1.125);
}

TEST(SsspRules, NameTheVertexTheParentAndTheRule) {
  struct Case {
    PathAnswer answer;
    const char* sentence;
  };
  const std::vector<Case> cases = {
      {{parents_of({0, 0, 1, 2, 9, -1, -1, -1}), right_distances},
       "rule parent_range: 1 violation, the first at vertex 4 (its parent is 9)"},
      {{parents_of({0, 0, 1, 4, 3, -1, -1, -1}), right_distances},
       "rule tree: 2 violations, the first at vertex 3 (its parent 4 leads into a cycle)"},
      {{parents_of({0, 0, 1, 2, 3, 6, -1, -1}), {0, 0.25F, 0.5F, 1, 1.125F, 0.5F, never, never}},
       "rule leads_to_root: 1 violation, the first at vertex 5 (its parent 6 does not lead to the root)"},
      {{parents_of({0, 0, 1, 2, 3, -1, -1, -1}), {0, 0.25F, 0.5F, 1, never, never, never, never}},
       "rule distance_range: 1 violation, the first at vertex 4 (its parent is 3, which its distance does "
       "not "
       "fit)"},
      {{parents_of({0, 0, 0, 2, 3, -1, -1, -1}), {0, 0.25F, 1, 1.5F, 1.625F, never, never, never}},
       "rule edge_distances: 1 violation, the first at vertex 2 (an edge from its neighbour 1 makes a "
       "shorter "
       "path)"},
      {{parents_of({0, 0, 1, 2, -1, -1, -1, -1}), {0, 0.25F, 0.5F, 1, never, never, never, never}},
       "rule spans_component: 2 violations, the first at vertex 4 (not reached, but its neighbour 3 is)"},
      {{parents_of({0, 0, 0, 2, 3, -1, -1, -1}), right_distances},
       "rule tree_edges: 1 violation, the first at vertex 2 (no edge from its parent 0 gives its distance)"},
  };
  for (const Case& wrong : cases) {
    const SsspValidation found = validate(triangle_with_tail(), wrong.answer, GlobalVertex{0});

    EXPECT_FALSE(found.passed());
    EXPECT_EQ(found.first_violation(), wrong.sentence);
  }
  const PathAnswer right{parents_of({0, 0, 1, 2, 3, -1, -1, -1}), right_distances};
  EXPECT_EQ(validate(triangle_with_tail(), right, GlobalVertex{0}, {7, 1}).first_violation(),
            "rule traversed_edges: 1 violation (counted 6, construction said 7)");
}

TEST(SsspRules, AgreeWithTheTwinOnOddGraphsFromEveryRoot) {
  Random random(1);
  for (const WeightedGraph& graph : odd_weighted_graphs()) {
    const reference::WeightedAdjacency adjacency = graph.adjacency();
    const std::int64_t size = graph.graph.num_vertices;
    int trial = 0;
    for (std::int64_t root = 0; root < size; root += 1 + size / 4) {
      if (!is_tried_here(trial++)) continue;
      const PathAnswer answer = right_path_answer(adjacency, GlobalVertex{root}, random);

      const SsspValidation found = expect_the_twins_verdict(
          graph, answer, GlobalVertex{root}, right_claims(graph.graph.adjacency(), GlobalVertex{root}));

      EXPECT_TRUE(found.passed()) << graph.name() << ": " << found.first_violation();
    }
  }
}

TEST(SsspRules, AgreeWithTheTwinOnAnswersDrawnAtRandom) {
  Random random(2);
  for (const WeightedGraph& graph : odd_weighted_graphs()) {
    const std::int64_t size = graph.graph.num_vertices;
    for (int trial = 0; trial < 3; ++trial) {
      PathAnswer answer{Parents(static_cast<std::size_t>(size)), Distances(static_cast<std::size_t>(size))};
      for (GlobalVertex& parent : answer.parents) parent = GlobalVertex{draw(random, size + 3) - 2};
      for (float& distance : answer.distances) {
        const std::int64_t drawn = draw(random, 9);
        distance = drawn == 8 ? never : static_cast<float>(drawn - 1) / 4;
      }
      if (!is_tried_here(trial)) continue;

      expect_the_twins_verdict(graph, answer, GlobalVertex{draw(random, size)}, {trial, 1});
    }
  }
}

TEST(SsspRules, AgreeWithTheTwinForAnyNumberOfThreads) {
  const WeightedGraph graph = weighted_kronecker(9);
  const GlobalVertex root = graph.graph.edges[0].u;
  Random random(3);
  PathAnswer answer = right_path_answer(graph.adjacency(), root, random);
  for (int mutation = 0; mutation < 40; ++mutation) {
    const auto v = static_cast<std::size_t>(draw(random, graph.graph.num_vertices));
    answer.parents[v] = GlobalVertex{draw(random, graph.graph.num_vertices)};
    answer.distances[v] /= 2;
  }
  const int threads_before = max_threads();
  for (const int threads : {1, 2, 3, 5}) {
    set_num_threads(threads);

    EXPECT_FALSE(expect_the_twins_verdict(graph, answer, root).passed()) << threads << " threads";
  }
  set_num_threads(threads_before);
}

TEST(SsspRules, TakeManyEdgesThatAddNothing) {
  // Over each edge either end could be the child of the other: more deliveries than edges.
  const Graph shape = random_multigraph(2000, 400000, 6);
  const WeightedGraph graph{shape, std::vector<float>(shape.edges.size(), 0.0F)};
  Random random(8);
  const PathAnswer answer = right_path_answer(graph.adjacency(), GlobalVertex{0}, random);

  EXPECT_TRUE(validate(graph, answer, GlobalVertex{0}).passed());
}

TEST(SsspRules, RefuseListsThatAreNoWeightedGraph) {
  WeightedGraph graph = triangle_with_tail();
  const PathAnswer right{parents_of({0, 0, 1, 2, 3, -1, -1, -1}), right_distances};
  // Every edge: every rank's share has one, so that all of them stop.
  for (const float weight : {-0.5F, never, std::numeric_limits<float>::quiet_NaN()}) {
    graph.weights.assign(graph.weights.size(), weight);
    if (static_cast<int>(graph.weights.size()) < world().size()) continue;
    EXPECT_THROW(validate(graph, right, GlobalVertex{0}), EnvironmentError) << weight;
  }
}

}  // namespace
}  // namespace isobath::test
