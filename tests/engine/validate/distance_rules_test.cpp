// SPDX-License-Identifier: Apache-2.0
// The rules on distances by themselves, where other rules are broken too, against the serial twin.
#include "validate/distance_rules.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mpi_main.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "reference/sssp_rules.hpp"
#include "sssp_case.hpp"

namespace isobath::test {
namespace {

constexpr float not_reached = std::numeric_limits<float>::infinity();

/// The rules over this rank's weighted edges, and what they need.
class RuledDistances {
 public:
  /// @param first, count  this rank's edges
  RuledDistances(const WeightedGraph& graph, std::size_t first, std::size_t count, VertexFacts facts,
                 std::optional<ExchangeLimits> limits = {})
      : graph_(graph),
        partition_(graph.graph.num_vertices, world().size()),
        edges_(std::span(graph.graph.edges).subspan(first, count)),
        weights_(std::span(graph.weights).subspan(first, count)),
        stream_(graph.graph.num_vertices, edges_, weights_),
        exchange_(world(), partition_, limits),
        gathered_(world(), partition_, stream_.size(), facts),
        levels_(world(), partition_, exchange_, gathered_),
        rules_(world(), partition_, stream_, exchange_, gathered_) {}
  /// Over this rank's share of the edges.
  RuledDistances(const WeightedGraph& graph, VertexFacts facts, std::optional<ExchangeLimits> limits = {})
      : RuledDistances(graph, first_of(graph, world().rank()),
                       first_of(graph, world().rank() + 1) - first_of(graph, world().rank()), facts, limits) {
  }

  struct Found {
    RuleTally<SsspRule>::Outcomes outcomes;  // of all ranks
    DistanceRules::Facts facts;              // of this one
  };
  /// Collective. @param answer  for the whole graph
  Found check(const PathAnswer& answer, GlobalVertex root) {
    const auto own = [&](auto all) {
      return all.subspan(static_cast<std::size_t>(partition_.first(world().rank())),
                         static_cast<std::size_t>(partition_.size(world().rank())));
    };
    const std::span<const GlobalVertex> parents = own(std::span(answer.parents));
    TreeTally tree;
    levels_.count(root, parents, tree);
    RuleTally<SsspRule> tally;
    const DistanceRules::Facts facts =
        rules_.check(root, parents, own(std::span(answer.distances)), levels_, tally);
    return {tally.over_all_ranks(world()), facts};
  }

  /// Collective. Expects what the twin says of the graph, and of this rank's share of it.
  void expect_the_twins(const PathAnswer& answer, GlobalVertex root) {
    const Found found = check(answer, root);
    const reference::SsspVerdict twin =
        reference::validate_sssp(graph_.graph.edges, graph_.weights, answer.parents, answer.distances, root);
    for (std::size_t i = 0; i < num_sssp_rules; ++i) {
      const auto rule = static_cast<SsspRule>(i);
      const bool is_of_distances = rule == SsspRule::distance_range || rule == SsspRule::edge_distances ||
                                   rule == SsspRule::spans_component || rule == SsspRule::tree_edges;
      const reference::Rule expected = is_of_distances ? twin.rules[i] : reference::Rule{};
      EXPECT_EQ(found.outcomes[i].violations, expected.violations) << graph_.name() << ", " << name_of(rule);
      EXPECT_EQ(found.outcomes[i].first_vertex, expected.vertex) << graph_.name() << ", " << name_of(rule);
      EXPECT_EQ(found.outcomes[i].first_other, expected.other) << graph_.name() << ", " << name_of(rule);
    }
    const reference::SsspVerdict of_share =
        reference::validate_sssp(edges_, weights_, answer.parents, answer.distances, root);
    EXPECT_EQ(found.facts.edges.traversed_edges, of_share.traversed_edges) << graph_.name();
    EXPECT_EQ(found.facts.edges.self_loops, of_share.self_loops) << graph_.name();
    EXPECT_DOUBLE_EQ(world().sum(found.facts.distance_sum), twin.distance_sum) << graph_.name();
    EXPECT_EQ(world().max(found.facts.distance_max), twin.distance_max) << graph_.name();
  }

 private:
  static std::size_t first_of(const WeightedGraph& graph, int rank) {
    if (rank == world().size()) return graph.graph.edges.size();
    return static_cast<std::size_t>(edge_share(std::ssize(graph.graph.edges), rank, world().size()).first);
  }

  const WeightedGraph& graph_;
  BlockPartition partition_;
  std::span<const Edge> edges_;
  std::span<const float> weights_;
  SpanWeightedEdgeStream stream_;
  OwnerExchange exchange_;
  GatheredVertices gathered_;
  TreeLevels levels_;
  DistanceRules rules_;
};

/// As of EdgeRules; where weights add nothing, either end of an edge may be the child.
TEST(DistanceRules, SayTheSameWhateverTravelsAtOnce) {
  Random random(14);
  for (const Graph& plain : {star(50), path(40), duplicates(12), random_multigraph(40, 160, 3)}) {
    const WeightedGraph graph = with_coarse_weights(plain, 5);
    const GlobalVertex root{0};
    const PathAnswer right = right_path_answer(graph.adjacency(), root, random);
    PathAnswer bent = right;
    bent.parents.back() = GlobalVertex{plain.num_vertices / 2};
    for (const ExchangeLimits limits : {ExchangeLimits{10, 3}, ExchangeLimits{64, 30}}) {
      RuledDistances ruled(graph, VertexFacts::asked, limits);
      ruled.expect_the_twins(right, root);
      ruled.expect_the_twins(bent, root);
    }
  }
}

/// One object for all answers: it forgets the one before.
TEST(DistanceRules, AgreeWithTheTwinOneAnswerAfterTheOther) {
  int trial = 0;
  Random random(12);
  for (const WeightedGraph& graph : odd_weighted_graphs()) {
    const std::int64_t size = graph.graph.num_vertices;
    const GlobalVertex root{draw(random, size)};
    const PathAnswer right = right_path_answer(graph.adjacency(), root, random);
    PathAnswer bent = right;  // a distance one step of float32 off, and a parent from anywhere
    float& distance = bent.distances[static_cast<std::size_t>(draw(random, size))];
    distance = std::nextafter(distance, 0.0F);
    bent.parents[static_cast<std::size_t>(draw(random, size))] = GlobalVertex{draw(random, size + 3) - 2};
    PathAnswer drawn = right;
    for (GlobalVertex& parent : drawn.parents) parent = GlobalVertex{draw(random, size + 3) - 2};
    for (float& each : drawn.distances) {
      const std::int64_t eighths = draw(random, 9);
      each = eighths == 8 ? not_reached : static_cast<float>(eighths - 1) / 4;
    }
    if (!is_tried_here(trial++)) continue;
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      RuledDistances ruled(graph, facts);
      ruled.expect_the_twins(right, root);
      ruled.expect_the_twins(bent, root);
      ruled.expect_the_twins(drawn, root);
      ruled.expect_the_twins(right, root);
    }
  }
}

/// 1 + 2^-25 is 1 in float32, so the edge may be a tree edge of either end; the sum in more digits says none.
TEST(DistanceRules, AddInSinglePrecision) {
  const WeightedGraph sample{{"an edge that adds nothing",
                              3,
                              {{GlobalVertex{0}, GlobalVertex{1}}, {GlobalVertex{1}, GlobalVertex{2}}}},
                             {1, 0x1p-25F}};
  const PathAnswer right{{GlobalVertex{0}, GlobalVertex{0}, GlobalVertex{1}}, {0, 1, 1}};
  const PathAnswer too_far{right.parents, {0, 1, std::nextafter(1.0F, 2.0F)}};
  for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
    RuledDistances ruled(sample, facts);
    for (const RuleOutcome& rule : ruled.check(right, GlobalVertex{0}).outcomes)
      EXPECT_EQ(rule.violations, 0);
    const RuledDistances::Found found = ruled.check(too_far, GlobalVertex{0});
    EXPECT_EQ(found.outcomes[static_cast<std::size_t>(SsspRule::edge_distances)].violations, 1);
    EXPECT_EQ(found.outcomes[static_cast<std::size_t>(SsspRule::tree_edges)].violations, 1);
  }
}

TEST(DistanceRules, RefuseWeightsThatAreNoneAndVerticesThatDoNotExist) {
  const PathAnswer nothing{Parents(4, no_vertex), Distances(4, not_reached)};
  const auto expect_refused = [&](Edge edge, float weight) {
    const WeightedGraph graph{{"refused", 4, {{GlobalVertex{0}, GlobalVertex{1}}, edge}}, {0.5F, weight}};
    for (const VertexFacts facts : {VertexFacts::asked, VertexFacts::gathered}) {
      RuledDistances ruled(graph, 0, 2, facts);  // every rank's, so that all of them stop
      EXPECT_THROW(ruled.check(nothing, GlobalVertex{0}), EnvironmentError) << raw(edge.v) << ", " << weight;
    }
  };
  const Edge edge{GlobalVertex{1}, GlobalVertex{2}};
  for (const float weight : {-0.5F, -1e-30F, not_reached, std::nanf("")}) expect_refused(edge, weight);
  for (const std::int64_t stranger : {std::int64_t{4}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    expect_refused({GlobalVertex{1}, GlobalVertex{stranger}}, 0.5F);
  }
}

}  // namespace
}  // namespace isobath::test
