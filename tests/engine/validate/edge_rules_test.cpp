// SPDX-License-Identifier: Apache-2.0
// The rules on edges by themselves, where other rules are broken too, against the serial twin.
#include "validate/edge_rules.hpp"

#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mpi_main.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "reference/rules.hpp"
#include "validation_case.hpp"

namespace isobath::test {
namespace {

/// The rules over this rank's edges, and what they need.
class RuledEdges {
 public:
  RuledEdges(std::int64_t num_vertices, std::span<const Edge> share, VertexFacts facts,
             std::optional<ExchangeLimits> limits = {})
      : partition_(num_vertices, world().size()),
        share_(share),
        stream_(num_vertices, share_),
        exchange_(world(), partition_, limits),
        gathered_(world(), partition_, stream_.size(), facts),
        levels_(world(), partition_, exchange_, gathered_),
        rules_(world(), partition_, stream_, exchange_, gathered_) {}

  /// Every rank's share of a list that all of them have.
  static std::span<const Edge> share_of(const std::vector<Edge>& edges) {
    const auto [first, end] = edge_share(std::ssize(edges), world().rank(), world().size());
    return std::span(edges).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
  }

  struct Found {
    RuleTally<BfsRule>::Outcomes outcomes;  // of all ranks
    TreeEdgeCounts counts;                  // of this rank's share
  };
  /// Collective. @param parents  of the whole graph
  Found check(const Parents& parents, GlobalVertex root) {
    const std::span<const GlobalVertex> own =
        std::span(parents).subspan(static_cast<std::size_t>(partition_.first(world().rank())),
                                   static_cast<std::size_t>(partition_.size(world().rank())));
    TreeTally tree;
    levels_.count(root, own, tree);
    RuleTally<BfsRule> tally;
    const TreeEdgeCounts counts = rules_.check(root, own, levels_, tally);
    return {tally.over_all_ranks(world()), counts};
  }

  /// Collective. Expects what the twin says of the list, and of this rank's share of it.
  void expect_the_twins(const std::string& name, const std::vector<Edge>& edges, const Parents& parents,
                        GlobalVertex root) {
    const Found found = check(parents, root);
    const reference::Verdict twin = reference::validate_bfs(edges, parents, root);
    for (std::size_t i = 0; i < num_bfs_rules; ++i) {
      const auto rule = static_cast<BfsRule>(i);
      const bool is_of_edges =
          rule == BfsRule::edge_levels || rule == BfsRule::spans_component || rule == BfsRule::tree_edges;
      const reference::Rule expected = is_of_edges ? twin.rules[i] : reference::Rule{};
      EXPECT_EQ(found.outcomes[i].violations, expected.violations) << name << ", " << name_of(rule);
      EXPECT_EQ(found.outcomes[i].first_vertex, expected.vertex) << name << ", " << name_of(rule);
      EXPECT_EQ(found.outcomes[i].first_other, expected.other) << name << ", " << name_of(rule);
    }
    const reference::Verdict of_share = reference::validate_bfs(share_, parents, root);
    EXPECT_EQ(found.counts.traversed_edges, of_share.traversed_edges) << name;
    EXPECT_EQ(found.counts.self_loops, of_share.self_loops) << name;
  }

 private:
  BlockPartition partition_;
  std::span<const Edge> share_;
  SpanEdgeStream stream_;
  OwnerExchange exchange_;
  GatheredVertices gathered_;
  TreeLevels levels_;
  EdgeRules rules_;
};

/// One object for all answers: it forgets the one before.
TEST(EdgeRules, AgreeWithTheTwinOneAnswerAfterTheOther) {
  int trial = 0;
  Random random(11);
  for (const Graph& graph : odd_graphs()) {
    const GlobalVertex root{draw(random, graph.num_vertices)};
    const Parents right = right_answer(graph.adjacency(), root, random);
    Parents bent = right;  // here and there a parent that is none, or no neighbour
    for (int k = 0; k < 3; ++k) {
      bent[static_cast<std::size_t>(draw(random, graph.num_vertices))] =
          GlobalVertex{draw(random, graph.num_vertices + 3) - 2};
    }
    Parents drawn(right.size());
    for (GlobalVertex& parent : drawn) parent = GlobalVertex{draw(random, graph.num_vertices + 3) - 2};
    if (!is_tried_here(trial++)) continue;
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      RuledEdges ruled(graph.num_vertices, RuledEdges::share_of(graph.edges), facts);
      ruled.expect_the_twins(graph.name + ", right", graph.edges, right, root);
      ruled.expect_the_twins(graph.name + ", bent", graph.edges, bent, root);
      ruled.expect_the_twins(graph.name + ", drawn", graph.edges, drawn, root);
      ruled.expect_the_twins(graph.name + ", right again", graph.edges, right, root);
    }
  }
}

/// Chunks of ten questions, of which one part brings a rank three and one of each rank: owners of the centre
/// of a star, and parents of a path, are asked by everybody. One object for several answers.
TEST(EdgeRules, SayTheSameWhateverTravelsAtOnce) {
  Random random(13);
  for (const Graph& graph : {star(50), path(40), duplicates(12), random_multigraph(40, 160, 3)}) {
    const GlobalVertex root{0};
    const Parents right = right_answer(graph.adjacency(), root, random);
    Parents bent = right;
    bent[static_cast<std::size_t>(graph.num_vertices) - 1] = GlobalVertex{graph.num_vertices / 2};
    for (const ExchangeLimits limits : {ExchangeLimits{10, 3}, ExchangeLimits{64, 30}}) {
      RuledEdges ruled(graph.num_vertices, RuledEdges::share_of(graph.edges), VertexFacts::asked, limits);
      ruled.expect_the_twins(graph.name + ", right", graph.edges, right, root);
      ruled.expect_the_twins(graph.name + ", bent", graph.edges, bent, root);
    }
  }
}

/// A path as long as codes of levels reach, and three vertices longer; an edge over three levels in its deep
/// end is wrong, and nothing else.
TEST(EdgeRules, JudgeDeepLevelsExactly) {
  for (const std::int64_t length : {28, 31, 200}) {
    Graph graph = path(length);
    Parents parents;
    for (std::int64_t v = 0; v < length; ++v) parents.push_back(GlobalVertex{v == 0 ? 0 : v - 1});
    graph.edges.push_back({GlobalVertex{length - 1}, GlobalVertex{length - 4}});
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      RuledEdges ruled(length, RuledEdges::share_of(graph.edges), facts);
      const RuledEdges::Found found = ruled.check(parents, GlobalVertex{0});
      EXPECT_EQ(found.outcomes[static_cast<std::size_t>(BfsRule::edge_levels)].violations, 1) << length;
      EXPECT_EQ(found.outcomes[static_cast<std::size_t>(BfsRule::tree_edges)].violations, 0) << length;
      ruled.expect_the_twins(graph.name, graph.edges, parents, GlobalVertex{0});
    }
  }
}

TEST(EdgeRules, RefuseEdgesOfVerticesThatDoNotExist) {
  const Parents nobody(8, no_vertex);
  for (const std::int64_t stranger : {std::int64_t{8}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    // Every rank's share, so that all of them stop.
    const std::vector<Edge> edges = {{GlobalVertex{0}, GlobalVertex{1}},
                                     {GlobalVertex{stranger}, GlobalVertex{2}}};
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      RuledEdges ruled(8, edges, facts);
      EXPECT_THROW(ruled.check(nobody, GlobalVertex{0}), EnvironmentError) << stranger;
    }
  }
}

}  // namespace
}  // namespace isobath::test
