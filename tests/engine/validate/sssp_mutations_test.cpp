// SPDX-License-Identifier: Apache-2.0
// The validator of shortest paths must be able to say no: every class of wrong answer, at every rank count.
#include "sssp_mutations.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

std::int64_t violations(const SsspValidation& found, SsspRule rule) {
  return found.rules[static_cast<std::size_t>(rule)].violations;
}

/// A root in the largest component: the vertex with most neighbours.
GlobalVertex busiest_vertex(const reference::WeightedAdjacency& graph) {
  const auto most = std::max_element(graph.begin(), graph.end(),
                                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return GlobalVertex{most - graph.begin()};
}

std::vector<WeightedGraph> weighted_graphs_with_every_mutation() {
  return {weighted_kronecker(6),
          weighted_kronecker(8),
          weighted_kronecker(10),
          with_coarse_weights(kronecker(8), 3),
          with_coarse_weights(two_components(64), 4),
          with_fine_weights(two_components(64), 5),
          with_fine_weights(ladder(60), 6),
          with_coarse_weights(cycle(90), 7),
          with_fine_weights(duplicates(60), 8),
          with_coarse_weights(random_multigraph(200, 300, 11), 9),
          with_fine_weights(random_multigraph(200, 300, 12), 10)};
}

TEST(SsspMutations, AreAllRejectedByTheRightRule) {
  std::map<std::string, int> rejected;
  for (const WeightedGraph& graph : weighted_graphs_with_every_mutation()) {
    Random random(42);
    const reference::WeightedAdjacency adjacency = graph.adjacency();
    const RightPathAnswer right = make_right_path_answer(graph, adjacency, busiest_vertex(adjacency), random);
    const ClaimedEdges claimed = right_claims(graph.graph.adjacency(), right.root);
    const SsspValidation accepted = validate(graph, right.answer, right.root, claimed);
    ASSERT_TRUE(accepted.passed()) << graph.name() << ": " << accepted.first_violation();
    for (const PathMutation& mutation : path_mutations()) {
      const std::optional<PathAnswer> wrong = mutation.apply(right, random);
      if (!wrong || *wrong == right.answer) continue;
      if (rejected[mutation.name] >= most_graphs_of_a_mutation()) continue;

      const SsspValidation found = expect_the_twins_verdict(graph, *wrong, right.root, claimed);

      EXPECT_FALSE(found.passed()) << mutation.name << " in the " << graph.name();
      EXPECT_GT(violations(found, mutation.broken), 0)
          << mutation.name << " in the " << graph.name() << ": " << found.first_violation();
      ++rejected[mutation.name];
    }
  }
  for (const PathMutation& mutation : path_mutations()) {
    EXPECT_GE(rejected[mutation.name], 2) << mutation.name << ": too few graphs offered a place for it";
  }
}

TEST(SsspMutations, OfTheEdgeCountAreRejected) {
  for (const WeightedGraph& graph : {weighted_kronecker(7), with_fine_weights(ladder(30), 1)}) {
    Random random(1);
    const reference::WeightedAdjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const PathAnswer answer = right_path_answer(adjacency, root, random);
    const ClaimedEdges right = right_claims(graph.graph.adjacency(), root);
    for (const std::int64_t off : {-1, 1}) {
      const SsspValidation edges =
          expect_the_twins_verdict(graph, answer, root, {right.without_self_loops + off, right.self_loops});
      EXPECT_EQ(violations(edges, SsspRule::traversed_edges), 1) << graph.name();
      if (right.self_loops + off < 0) continue;  // a negative claim is none
      const SsspValidation loops =
          expect_the_twins_verdict(graph, answer, root, {right.without_self_loops, right.self_loops + off});
      EXPECT_EQ(violations(loops, SsspRule::traversed_edges), 1) << graph.name();
    }
  }
}

TEST(SsspMutations, OfOneByteAreRejectedUnlessTheAnswerIsStillRight) {
  int rejected = 0;
  int still_right = 0;
  for (const WeightedGraph& graph :
       {weighted_kronecker(6), with_coarse_weights(kronecker(6), 2), with_coarse_weights(ladder(20), 1),
        with_fine_weights(random_multigraph(64, 200, 8), 2)}) {
    Random random(9);
    const reference::WeightedAdjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const PathAnswer right = right_path_answer(adjacency, root, random);
    for (int trial = 0; trial < 120; ++trial) {
      PathAnswer answer = right;
      const auto v = static_cast<std::size_t>(draw(random, graph.graph.num_vertices));
      if (trial % 2 == 0) {
        const auto bits = std::bit_cast<std::uint32_t>(answer.distances[v]);
        answer.distances[v] = std::bit_cast<float>(bits ^ std::uint32_t{1} << draw(random, 32));
      } else {
        const auto bits = static_cast<std::uint64_t>(raw(answer.parents[v]));
        const std::uint64_t flipped = bits ^ static_cast<std::uint64_t>(1 + draw(random, 63));
        answer.parents[v] = GlobalVertex{static_cast<std::int64_t>(flipped)};
      }
      if (!is_tried_here(trial, 2)) continue;

      // The twin, sharing nothing with the validator, says of each whether the answer is still right.
      const SsspValidation found = expect_the_twins_verdict(graph, answer, root);

      (found.passed() ? still_right : rejected) += 1;
    }
  }
  EXPECT_GT(rejected, 300 / world().size());
  if (world().size() > 1) return;  // of a share of the trials it may be none
  EXPECT_GT(still_right, 0) << "some flips name another right parent";
}

/// A search that uses another graph than the one that was generated.
void expect_rejected(const WeightedGraph& graph, const WeightedGraph& searched, GlobalVertex root,
                     SsspRule broken) {
  Random random(5);
  const PathAnswer answer = right_path_answer(searched.adjacency(), root, random);
  const SsspValidation found = expect_the_twins_verdict(graph, answer, root);
  EXPECT_GT(violations(found, broken), 0) << graph.name() << ": " << found.first_violation();
}

TEST(SsspMutations, OfTheSearchedGraphAreRejectedWhereTheyChangeAnAnswer) {
  for (const WeightedGraph& graph : {with_fine_weights(ladder(40), 1), weighted_kronecker(7)}) {
    const GlobalVertex root = busiest_vertex(graph.adjacency());
    Random random(4);
    const PathAnswer right = right_path_answer(graph.adjacency(), root, random);
    // An edge of the tree, the lightest of its copies.
    std::size_t tree_edge = graph.weights.size();
    for (std::size_t i = 0; i < graph.weights.size(); ++i) {
      const auto [u, v] = graph.graph.edges[i];
      const float sum = right.distances[at(u)] + graph.weights[i];
      if (right.parents[at(v)] == u && u != v && sum == right.distances[at(v)]) tree_edge = i;
    }
    ASSERT_LT(tree_edge, graph.weights.size()) << graph.name();

    WeightedGraph heavier = graph;
    heavier.weights[tree_edge] += 0.5F;
    expect_rejected(graph, heavier, root, SsspRule::edge_distances);
    WeightedGraph lighter = graph;
    lighter.weights[tree_edge] /= 2;
    expect_rejected(graph, lighter, root, SsspRule::tree_edges);
    WeightedGraph invented = graph;
    invented.graph.edges.push_back(
        {root, GlobalVertex{std::max_element(right.distances.begin(), right.distances.end(),
                                             [](float a, float b) { return a < b && b < 100; }) -
                            right.distances.begin()}});
    invented.weights.push_back(0.001F);
    expect_rejected(graph, invented, root, SsspRule::tree_edges);
  }
}

TEST(SsspMutations, OfAnEdgePrunedWithTooSmallAMarginAreRejected) {
  // Root 0, u = 2, v = 4, h = 3: the weight of u v is more than that of u h v by 2^-31, but after 0.75 + 0.30
  // the sums are rounded, and by h to one step more.
  constexpr float step = 1.0F / 2147483648.0F;
  WeightedGraph graph{{"hub beside an edge", 5, {}}, {0.75F, 0.30F, 139 * step, 139 * step, 279 * step}};
  for (const auto& [u, v] : std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 4}})
    graph.graph.edges.push_back({GlobalVertex{u}, GlobalVertex{v}});
  WeightedGraph pruned = graph;
  pruned.graph.edges.pop_back();
  pruned.weights.pop_back();

  expect_rejected(graph, pruned, GlobalVertex{0}, SsspRule::edge_distances);
}

}  // namespace
}  // namespace isobath::test
