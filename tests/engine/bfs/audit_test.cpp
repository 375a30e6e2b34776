// SPDX-License-Identifier: Apache-2.0
// Every byte that a plan sends against the serial walk, rank by rank, in every level and phase.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/counted_bytes.hpp"
#include "bfs/oracle.hpp"
#include "bfs/plan.hpp"
#include "bfs/searched.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/traffic_walk.hpp"

namespace isobath {
namespace {

using reference::TrafficRules;
using reference::TrafficWalk;
using test::AuditedBytes;
using test::Oracle;
using test::Policy;
using test::SampleGraph;

TrafficRules rules_of_hybrid(GridShape shape, const Policy& policy) {
  TrafficRules rules;
  rules.plan = TrafficRules::Plan::hybrid;
  rules.rows = shape.rows;
  rules.cols = shape.cols;
  rules.exchange = TrafficRules::Exchange::alltoallv;
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.local_dedup = true;
  rules.frontier = TrafficRules::Frontier::list;
  rules.relabel = true;
  rules.leaves_out = true;
  rules.direction = TrafficRules::DirectionRule::policy;
  rules.alpha = policy.alpha;
  rules.beta = policy.beta;
  return rules;
}

void audit(const SampleGraph& graph, std::size_t roots, const Policy& policy) {
  const Communicator& world = test::world();
  const Oracle oracle(graph);
  for (const GridShape shape : test::shapes_of(world.size())) {
    const SpanEdgeStream edges = test::share_of(graph, world.rank(), world.size());
    PhaseObserver nobody;
    const auto plan = construct_plan("hybrid", edges, world, {shape, policy.alpha, policy.beta}, nobody);
    std::optional<TrafficWalk> walk;  // one rank compares
    if (world.rank() == 0) walk.emplace(graph.num_vertices, graph.edges, rules_of_hybrid(shape, policy));
    for (const GlobalVertex root : oracle.roots(roots)) {
      test::CountedBytes observer(*plan);
      plan->search(root, observer);
      observer.settle();
      const AuditedBytes counted = observer.of_all_ranks(world);
      if (!walk) continue;
      const AuditedBytes expected = test::as_counted(walk->search(root, observer.bottom_up()));
      EXPECT_EQ(test::difference(expected, counted), "")
          << fmt::format("{} on {}, {}, root {}", graph.name, shape.text(), policy.name, raw(root));
    }
  }
}

TEST(Audit, IsEqualOnKroneckerGraphs) {
  for (const Policy& policy : {test::usual, test::always_top_down, test::always_bottom_up}) {
    audit(test::kronecker_graph(10, 8), 12, policy);
    audit(test::kronecker_graph(8, 16), 12, policy);
  }
}

TEST(Audit, IsEqualOnOddGraphs) {
  for (const SampleGraph& graph : test::odd_graphs()) audit(graph, 5, test::usual);
}

TEST(Audit, IsEqualOnGraphsOfManyComponents) {
  for (const Policy& policy :
       {test::usual, test::always_top_down, test::always_bottom_up, test::bottom_up_by_arcs}) {
    audit(test::archipelago(7, 900), 16, policy);
    audit(test::random_multigraph(1, 500, 260), 12, policy);
    audit(test::lattice(11, 15), 4, policy);
  }
}

TEST(Audit, IsEqualWhereLevelsAreLarge) {
  for (const Policy& policy : {test::usual, test::always_top_down}) {
    audit(test::random_multigraph(4, 10007, 30000, 6), 8, policy);
  }
}

TEST(Audit, NamesTheStepThatDiffers) {
  AuditedBytes expected = {{{0, Phase::fold}, {8, 16}}, {{1, Phase::reduce}, {8, 8}}};
  AuditedBytes counted = expected;
  EXPECT_EQ(test::difference(expected, counted), "");
  counted[{0, Phase::fold}][1] += 1;
  EXPECT_EQ(test::difference(expected, counted), "level 0, phase fold: expected [8 16], counted [8 17]");
  counted = expected;
  counted[{1, Phase::count}] = {0, 8};
  EXPECT_EQ(test::difference(expected, counted), "level 1, phase count: expected [], counted [0 8]");
}

}  // namespace
}  // namespace isobath
