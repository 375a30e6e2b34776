// SPDX-License-Identifier: Apache-2.0
// Right answers, and wrong ones worked out by hand.
#include "validate/bfs_rules.hpp"

#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "mpi_main.hpp"
#include "partition/edge_stream.hpp"
#include "validation_case.hpp"

namespace isobath::test {
namespace {

Parents parents_of(std::initializer_list<std::int64_t> values) {
  Parents parents;
  for (const std::int64_t value : values) parents.push_back(GlobalVertex{value});
  return parents;
}

const RuleOutcome& outcome(const BfsValidation& found, BfsRule rule) {
  return found.rules[static_cast<std::size_t>(rule)];
}

/// Edge list of a triangle 0 1 2 with a tail 2 3 4, twice the edge 3 4, a self-loop at 3, and a pair 5 6
/// apart.
Graph triangle_with_tail() {
  Graph graph{"triangle with tail", 8, {}};
  for (const auto& [u, v] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {3, 3}, {5, 6}}) {
    graph.edges.push_back({GlobalVertex{u}, GlobalVertex{v}});
  }
  return graph;
}

TEST(BfsRules, PassARightAnswerAndCountItsEdges) {
  const BfsValidation found =
      validate(triangle_with_tail(), parents_of({0, 0, 0, 2, 3, -1, -1, -1}), GlobalVertex{0}, {6, 1});

  EXPECT_TRUE(found.passed()) << found.first_violation();
  EXPECT_EQ(found.first_violation(), "");
  EXPECT_EQ(found.traversed_edges, 6);
  EXPECT_EQ(found.self_loops, 1);
  EXPECT_EQ(found.vertices_reached, 5);
  EXPECT_EQ(found.vertices_per_level, (std::vector<std::int64_t>{1, 2, 1, 1}));
}

TEST(BfsRules, NameTheVertexTheParentAndTheRule) {
  struct Case {
    Parents parents;
    const char* sentence;
  };
  const std::vector<Case> cases = {
      {parents_of({0, 0, 0, 2, 9, -1, -1, -1}),
       "rule parent_range: 1 violation, the first at vertex 4 (its parent is 9)"},
      {parents_of({1, 0, 0, 2, 3, -1, -1, -1}),
       "rule parent_range: 1 violation, the first at vertex 0 (its parent is 1)"},
      {parents_of({0, 0, 0, 4, 3, -1, -1, -1}),
       "rule tree: 2 violations, the first at vertex 3 (its parent 4 leads into a cycle)"},
      {parents_of({0, 0, 0, 2, 3, 6, -1, -1}),
       "rule tree_levels: 1 violation, the first at vertex 5 (its parent 6 does not lead to the root)"},
      {parents_of({0, 0, 1, 2, 3, -1, -1, -1}),
       "rule edge_levels: 1 violation, the first at vertex 2 (it is more than one level below its neighbour "
       "0)"},
      {parents_of({0, 0, 0, 2, -1, -1, -1, -1}),
       "rule spans_component: 2 violations, the first at vertex 4 (not reached, but its neighbour 3 is)"},
      {parents_of({0, 0, 0, 2, 3, -1, -1, 4}),
       "rule tree_edges: 1 violation, the first at vertex 7 (no edge joins it to its parent 4)"},
  };
  for (const Case& wrong : cases) {
    const BfsValidation found = validate(triangle_with_tail(), wrong.parents, GlobalVertex{0});

    EXPECT_FALSE(found.passed());
    EXPECT_EQ(found.first_violation(), wrong.sentence);
  }
}

TEST(BfsRules, CompareTheClaimedEdges) {
  const Graph graph = triangle_with_tail();
  const Parents parents = parents_of({0, 0, 0, 2, 3, -1, -1, -1});

  const BfsValidation one_too_many = validate(graph, parents, GlobalVertex{0}, {7, 1});
  EXPECT_EQ(one_too_many.first_violation(),
            "rule traversed_edges: 1 violation (counted 6, construction said 7)");
  const BfsValidation without_its_loop = validate(graph, parents, GlobalVertex{0}, {6, 0});
  EXPECT_EQ(without_its_loop.first_violation(),
            "rule traversed_edges: 1 violation (counted 1 self-loops, construction said 0)");
  EXPECT_TRUE(validate(graph, parents, GlobalVertex{0}, {-1, -1}).passed()) << "nothing was claimed";
}

TEST(BfsRules, CountEveryViolationAndShowTheLowest) {
  // 5 and 6 lead to 7, which has no parent; 4 has a parent that is no neighbour.
  const BfsValidation found =
      validate(triangle_with_tail(), parents_of({0, 0, 0, 2, 0, 6, 7, -1}), GlobalVertex{0}, {6, 1});

  EXPECT_EQ(outcome(found, BfsRule::tree_levels), (RuleOutcome{2, GlobalVertex{5}, GlobalVertex{6}}));
  EXPECT_EQ(outcome(found, BfsRule::tree_edges), (RuleOutcome{1, GlobalVertex{4}, GlobalVertex{0}}));
  EXPECT_EQ(outcome(found, BfsRule::edge_levels).violations, 0) << "levels 1 and 2";
  EXPECT_EQ(outcome(found, BfsRule::traversed_edges).violations, 0);
}

TEST(BfsRules, AgreeWithTheTwinOnOddGraphsFromEveryRoot) {
  Random random(1);
  for (const Graph& graph : odd_graphs()) {
    const reference::Adjacency adjacency = graph.adjacency();
    int trial = 0;
    for (std::int64_t root = 0; root < graph.num_vertices; root += 1 + graph.num_vertices / 12) {
      if (!is_tried_here(trial++)) continue;
      const Parents parents = right_answer(adjacency, GlobalVertex{root}, random);

      const BfsValidation found = expect_the_twins_verdict(graph, parents, GlobalVertex{root},
                                                           right_claims(adjacency, GlobalVertex{root}));

      EXPECT_TRUE(found.passed()) << graph.name << ": " << found.first_violation();
    }
  }
}

TEST(BfsRules, AgreeWithTheTwinOnParentsDrawnAtRandom) {
  Random random(2);
  for (const Graph& graph : odd_graphs()) {
    for (int trial = 0; trial < 8; ++trial) {
      Parents parents(static_cast<std::size_t>(graph.num_vertices));
      for (GlobalVertex& parent : parents) parent = GlobalVertex{draw(random, graph.num_vertices + 3) - 2};
      if (!is_tried_here(trial)) continue;

      expect_the_twins_verdict(graph, parents, GlobalVertex{draw(random, graph.num_vertices)}, {trial, 1});
    }
  }
}

TEST(BfsRules, AgreeWithTheTwinForAnyNumberOfThreads) {
  const Graph graph = kronecker(9);
  const reference::Adjacency adjacency = graph.adjacency();
  const GlobalVertex root = graph.edges[0].u;
  Random random(3);
  Parents parents = right_answer(adjacency, root, random);
  for (int mutation = 0; mutation < 40; ++mutation) {
    parents[static_cast<std::size_t>(draw(random, graph.num_vertices))] =
        GlobalVertex{draw(random, graph.num_vertices)};
  }
  const int threads_before = max_threads();
  for (const int threads : {1, 2, 3, 5}) {
    set_num_threads(threads);

    EXPECT_FALSE(expect_the_twins_verdict(graph, parents, root).passed()) << threads << " threads";
  }
  set_num_threads(threads_before);
}

/// The only tree of a path from its first vertex.
Parents parents_along(const Graph& path) {
  Parents parents(static_cast<std::size_t>(path.num_vertices));
  parents[at(path.edges.front().u)] = path.edges.front().u;
  for (const Edge& edge : path.edges) parents[at(edge.v)] = edge.u;
  return parents;
}

TEST(BfsRules, HoldOnAVeryLongPath) {
  constexpr std::int64_t length = std::int64_t{1} << 17;
  const Graph graph = scattered_path(length);

  const BfsValidation found = validate(graph, parents_along(graph), graph.edges.front().u, {length - 1, 0});

  EXPECT_TRUE(found.passed()) << found.first_violation();
  EXPECT_EQ(found.vertices_reached, length);
  EXPECT_EQ(found.vertices_per_level, std::vector<std::int64_t>(length, 1));
}

/// A root with many neighbours and a tail, over all ranks: on each few vertices are deep.
TEST(BfsRules, HoldWhereFewVerticesAreDeep) {
  constexpr std::int64_t size = 1009;
  constexpr std::int64_t tail = 90;
  const auto vertex = [](std::int64_t k) { return GlobalVertex{k * 389 % size}; };
  Graph graph{"a root with a tail", size, {}};
  Parents parents(size, vertex(0));
  for (std::int64_t k = 1; k < size; ++k) {
    const GlobalVertex parent = vertex(k <= tail ? k - 1 : 0);
    graph.edges.push_back({parent, vertex(k)});
    parents[at(vertex(k))] = parent;
  }
  const BfsValidation found = expect_the_twins_verdict(graph, parents, vertex(0));
  EXPECT_EQ(outcome(found, BfsRule::tree_levels).violations, 0);
  EXPECT_EQ(found.vertices_per_level.size(), std::size_t{tail + 1});

  parents[at(vertex(40))] = vertex(60);  // the tail from there on runs in a circle, or into it
  const BfsValidation circular = expect_the_twins_verdict(graph, parents, vertex(0));
  EXPECT_EQ(outcome(circular, BfsRule::tree).violations, tail - 39);
  parents[at(vertex(40))] = no_vertex;
  EXPECT_FALSE(expect_the_twins_verdict(graph, parents, vertex(0)).passed());
}

TEST(BfsRules, FindTheBreakInALongPath) {
  constexpr std::int64_t length = std::int64_t{1} << 15;
  for (const Graph& graph : {path(length), reversed_path(length), scattered_path(length)}) {
    Parents parents = parents_along(graph);
    const GlobalVertex root = graph.edges.front().u;
    EXPECT_TRUE(validate(graph, parents, root, {length - 1, 0}).passed()) << graph.name;

    // Cut in the middle: the lower half leads to a vertex that has no parent.
    const Edge cut = graph.edges[length / 2];
    parents[at(cut.v)] = no_vertex;
    const BfsValidation severed = validate(graph, parents, root);
    EXPECT_EQ(outcome(severed, BfsRule::tree_levels).violations, length / 2 - 2) << graph.name;
    EXPECT_EQ(outcome(severed, BfsRule::spans_component), (RuleOutcome{1, cut.v, cut.u})) << graph.name;

    // The lower half is one circle.
    parents[at(cut.v)] = graph.edges.back().v;
    EXPECT_EQ(outcome(validate(graph, parents, root), BfsRule::tree).violations, length / 2 - 1)
        << graph.name;

    // Far below level 28: a vertex hangs from its grandparent, and all below it is one level higher.
    parents[at(cut.v)] = graph.edges[length / 2 - 1].u;
    const BfsValidation skipped = validate(graph, parents, root);
    EXPECT_EQ(outcome(skipped, BfsRule::tree_edges), (RuleOutcome{1, cut.v, parents[at(cut.v)]}))
        << graph.name;
    EXPECT_EQ(outcome(skipped, BfsRule::edge_levels).violations, 0) << graph.name;
  }
}

TEST(BfsRules, GoThroughUnevenSharesInEqualRounds) {
  Graph graph = kronecker(14);
  graph.edges.push_back(graph.edges.back());  // 2^18 + 1: more than one chunk, of what the copy sends too
  const reference::Adjacency adjacency = graph.adjacency();
  const GlobalVertex root = graph.edges[0].u;
  const BlockPartition partition(graph.num_vertices, world().size());
  const bool is_last = world().rank() + 1 == world().size();
  const SpanEdgeStream all_on_the_last(
      graph.num_vertices, is_last ? std::span<const Edge>(graph.edges) : std::span<const Edge>());
  const std::pair<ListCopy, VertexFacts> ways[] = {{ListCopy::no, VertexFacts::asked},
                                                   {ListCopy::no, VertexFacts::gathered},
                                                   {ListCopy::yes, VertexFacts::gathered}};
  for (const auto& [copy, facts] : ways) {
    Random random(4);
    Parents parents = right_answer(adjacency, root, random);
    BfsValidator validator(world(), partition, all_on_the_last, copy, facts);
    const auto own = [&] {
      return std::span<const GlobalVertex>(parents).subspan(
          static_cast<std::size_t>(partition.first(world().rank())),
          static_cast<std::size_t>(partition.size(world().rank())));
    };
    const ClaimedEdges claimed = right_claims(adjacency, root);

    const BfsValidation right = validator.validate(root, own(), claimed);
    EXPECT_TRUE(right.passed()) << right.first_violation();

    // The same validator forgets what it saw: a wrong answer in between, then the right one of another root.
    parents[at(graph.edges.back().v)] = graph.edges.back().v;
    const BfsValidation wrong = validator.validate(root, own(), claimed);
    EXPECT_GT(outcome(wrong, BfsRule::tree).violations, 0);
    const GlobalVertex other_root = graph.edges[1].v;
    parents = right_answer(adjacency, other_root, random);
    const BfsValidation other = validator.validate(other_root, own(), right_claims(adjacency, other_root));
    EXPECT_TRUE(other.passed()) << other.first_violation();
  }
}

TEST(BfsRules, RefuseAnEdgeListThatNamesOtherVertices) {
  for (const std::int64_t stranger : {std::int64_t{8}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    const BlockPartition partition(8, world().size());
    const std::vector<Edge> edges = {{GlobalVertex{0}, GlobalVertex{1}},
                                     {GlobalVertex{2}, GlobalVertex{stranger}}};
    const SpanEdgeStream stream(8, edges);  // every rank's share
    const Parents parents(static_cast<std::size_t>(partition.size(world().rank())), no_vertex);
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      BfsValidator validator(world(), partition, stream, ListCopy::no, facts);

      EXPECT_THROW(validator.validate(GlobalVertex{0}, parents, {}), EnvironmentError) << stranger;
    }
    EXPECT_THROW(BfsValidator(world(), partition, stream, ListCopy::yes, VertexFacts::gathered),
                 EnvironmentError)
        << stranger;
  }
}

}  // namespace
}  // namespace isobath::test
