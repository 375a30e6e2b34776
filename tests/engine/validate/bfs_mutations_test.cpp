// SPDX-License-Identifier: Apache-2.0
// The validator must be able to say no: every class of wrong answer, at every rank count.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "mutations.hpp"
#include "partition/block_partition.hpp"

namespace isobath::test {
namespace {

std::int64_t violations(const BfsValidation& found, BfsRule rule) {
  return found.rules[static_cast<std::size_t>(rule)].violations;
}

/// A root in the largest component: the most frequent end.
GlobalVertex busiest_vertex(const reference::Adjacency& graph) {
  const auto most = std::max_element(graph.endpoints.begin(), graph.endpoints.end());
  return GlobalVertex{most - graph.endpoints.begin()};
}

std::vector<Graph> graphs_with_every_mutation() {
  return {kronecker(6),
          kronecker(8),
          kronecker(10),
          kronecker(12),
          two_components(64),
          ladder(60),
          cycle(90),
          random_multigraph(200, 300, 11),
          random_multigraph(64, 90, 12)};
}

TEST(BfsMutations, AreAllRejectedByTheRightRule) {
  std::map<std::string, int> rejected;
  for (const Graph& graph : graphs_with_every_mutation()) {
    Random random(42);
    const reference::Adjacency adjacency = graph.adjacency();
    const RightAnswer right = make_right_answer(graph, adjacency, busiest_vertex(adjacency), random);
    const ClaimedEdges claimed = right_claims(adjacency, right.root);
    ASSERT_TRUE(validate(graph, right.parents, right.root, claimed).passed()) << graph.name;
    for (const Mutation& mutation : mutations()) {
      const std::optional<Parents> wrong = mutation.apply(right, random);
      if (!wrong || *wrong == right.parents) continue;
      if (rejected[mutation.name] >= most_graphs_of_a_mutation()) continue;

      const BfsValidation found = expect_the_twins_verdict(graph, *wrong, right.root, claimed);

      EXPECT_FALSE(found.passed()) << mutation.name << " in the " << graph.name;
      EXPECT_GT(violations(found, mutation.broken), 0)
          << mutation.name << " in the " << graph.name << ": " << found.first_violation();
      ++rejected[mutation.name];
    }
  }
  for (const Mutation& mutation : mutations()) {
    EXPECT_GE(rejected[mutation.name], 2) << mutation.name << ": too few graphs offered a place for it";
  }
}

TEST(BfsMutations, OfTheEdgeCountAreRejected) {
  for (const Graph& graph : graphs_with_every_mutation()) {
    Random random(1);
    const reference::Adjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const Parents parents = right_answer(adjacency, root, random);
    const ClaimedEdges right = right_claims(adjacency, root);
    for (const std::int64_t off : {-1, 1}) {
      const BfsValidation edges =
          validate(graph, parents, root, {right.without_self_loops + off, right.self_loops});
      EXPECT_EQ(violations(edges, BfsRule::traversed_edges), 1) << graph.name;
      if (right.self_loops + off < 0) continue;  // a negative claim is none
      const BfsValidation loops =
          validate(graph, parents, root, {right.without_self_loops, right.self_loops + off});
      EXPECT_EQ(violations(loops, BfsRule::traversed_edges), 1) << graph.name;
    }
    if (right.self_loops == 0) continue;
    const BfsValidation loops_as_edges =
        validate(graph, parents, root, {right.without_self_loops + right.self_loops, right.self_loops});
    EXPECT_EQ(violations(loops_as_edges, BfsRule::traversed_edges), right.self_loops) << graph.name;
  }
}

TEST(BfsMutations, OfOneByteAreRejectedUnlessTheTreeIsStillRight) {
  int rejected = 0;
  int still_right = 0;
  for (const Graph& graph : {kronecker(6), kronecker(7), ladder(20), random_multigraph(64, 200, 8)}) {
    Random random(9);
    const reference::Adjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const Parents right = right_answer(adjacency, root, random);
    const ClaimedEdges claimed = right_claims(adjacency, root);
    for (int trial = 0; trial < 120; ++trial) {
      Parents parents = right;
      // Mostly the bytes that can name another vertex.
      const auto v = static_cast<std::size_t>(draw(random, graph.num_vertices));
      const auto byte = trial % 4 == 0 ? static_cast<std::size_t>(draw(random, 8)) : std::size_t{0};
      auto bits = static_cast<std::uint64_t>(raw(parents[v]));
      const std::uint64_t flip = trial % 2 == 0 ? static_cast<std::uint64_t>(1 + draw(random, 255))
                                                : std::uint64_t{1} << draw(random, 8);
      bits ^= flip << (8 * byte);
      parents[v] = GlobalVertex{static_cast<std::int64_t>(bits)};
      if (!is_tried_here(trial, 4)) continue;

      // The twin, sharing nothing with the validator, says of each whether the tree is still right.
      const BfsValidation found = expect_the_twins_verdict(graph, parents, root, claimed);

      (found.passed() ? still_right : rejected) += 1;
    }
  }
  EXPECT_GT(rejected, 300 / world().size());
  if (world().size() > 1) return;  // of a share of the trials it may be none
  EXPECT_GT(still_right, 0) << "some flips name another right parent";
}

TEST(BfsMutations, OfTheSearchedGraphAreRejectedWhereTheyChangeTheTree) {
  for (const Graph& graph : {ladder(40), kronecker(7), kronecker(9), random_multigraph(128, 160, 21)}) {
    Random random(5);
    const reference::Adjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const std::vector<Level> levels = reference::bfs(adjacency, root).levels;

    // An edge lost in construction: the only one of a vertex of one neighbour.
    Graph lost = graph;
    std::erase_if(lost.edges, [&, leaf = std::optional<GlobalVertex>()](const Edge& edge) mutable {
      for (const GlobalVertex end : {edge.u, edge.v}) {
        const bool hangs_on = adjacency.neighbours[at(end)].size() == 1 && levels[at(end)] > 0;
        if (!leaf && hangs_on && edge.u != edge.v) leaf = end;
      }
      return leaf && edge.u != edge.v && (edge.u == *leaf || edge.v == *leaf);
    });
    ASSERT_LT(lost.edges.size(), graph.edges.size()) << graph.name;
    const Parents without = right_answer(lost.adjacency(), root, random);
    const BfsValidation found = expect_the_twins_verdict(graph, without, root);
    EXPECT_GT(violations(found, BfsRule::spans_component), 0) << graph.name;

    // An edge invented in construction: a short cut to the deepest vertex.
    const auto deepest = std::max_element(levels.begin(), levels.end());
    ASSERT_GE(*deepest, 2) << graph.name;
    Graph invented = graph;
    invented.edges.push_back({root, GlobalVertex{deepest - levels.begin()}});
    const Parents with = right_answer(invented.adjacency(), root, random);
    EXPECT_GT(violations(expect_the_twins_verdict(graph, with, root), BfsRule::tree_edges), 0) << graph.name;
  }
}

TEST(BfsMutations, OfTheOwnerOfVerticesAreRejected) {
  for (const Graph& graph : {kronecker(6), kronecker(9), kronecker(11)}) {
    Random random(6);
    const reference::Adjacency adjacency = graph.adjacency();
    const GlobalVertex root = busiest_vertex(adjacency);
    const Parents right = right_answer(adjacency, root, random);
    const BlockPartition partition(graph.num_vertices, std::max(2, world().size()));
    for (int block = 1; block < partition.num_blocks(); ++block) {
      // Two ranks (where there is one: its two halves) that take each other's vertices for their own.
      Parents parents = right;
      const std::int64_t length = std::min(partition.size(block - 1), partition.size(block));
      const auto first = parents.begin() + partition.first(block - 1);
      std::swap_ranges(first, first + length, parents.begin() + partition.first(block));

      EXPECT_FALSE(expect_the_twins_verdict(graph, parents, root).passed())
          << graph.name << ", block " << block;
    }
  }
}

}  // namespace
}  // namespace isobath::test
