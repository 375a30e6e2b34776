// SPDX-License-Identifier: Apache-2.0
// Every search plan with its switches against the queue search, on every grid that it can have.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "bfs/planned.hpp"
#include "mpi_main.hpp"
#include "reference/rules.hpp"

namespace isobath {
namespace {

using test::Oracle;
using test::Planned;
using test::SampleGraph;
using test::Setting;
using test::shapes_of_plan;
using test::Variant;

/// Every plan as it is by default.
std::vector<Variant> plans() {
  std::vector<Variant> variants;
  for (const std::string& plan : plan_names()) variants.push_back({std::string(plan)});
  return variants;
}

/// Everything of hybrid that two-dim has not is off.
constexpr const char* bare =
    "relabel=off leaves=in streams=off overlap=off frontier=bitmap fold=plain direction=top-down";

/// Every value of every switch at least once, beside the defaults.
std::vector<Variant> variants() {
  std::vector<Variant> all = plans();
  for (const char* const plan : {"replicated-csr", "replicated-csc", "one-sided"}) {
    all.push_back({plan, "duplicates=drop"});
  }
  all.push_back({"one-sided", "exchange=emulated"});
  for (const char* const plan : {"simple", "two-dim"}) {
    all.push_back({plan, "ids=32"});
    all.push_back({plan, "dedup=local"});
    all.push_back({plan, "duplicates=drop dedup=local ids=32"});
    for (const std::string_view exchange : exchange_names) {
      all.push_back({plan, fmt::format("exchange={}", exchange)});
    }
    all.push_back({plan, "dedup=local ids=32 exchange=sparse"});
  }
  all.push_back({"two-dim", "frontier=list"});
  all.push_back({"two-dim", "duplicates=drop dedup=local ids=32 frontier=smaller"});
  all.push_back({"hybrid", bare});
  all.push_back({"hybrid", "relabel=off leaves=in streams=off overlap=off fold=plain direction=bottom-up"});
  for (const std::string_view exchange : exchange_names) {
    all.push_back({"hybrid", fmt::format("{} exchange={}", bare, exchange)});
  }
  return all;
}

/// Only rank 0 compares: every rank has the whole tree.
void expect_right(const Oracle& oracle, const std::vector<GlobalVertex>& parents, GlobalVertex root,
                  const std::string& where) {
  if (test::world().rank() != 0) return;
  EXPECT_EQ(oracle.complaint(parents, root), "") << where;
}

void search(const SampleGraph& graph, const Oracle& oracle, std::size_t roots, GridShape shape,
            const Variant& variant, int threads, const Communicator& world = test::world()) {
  const Setting setting(best_instruction_set(), threads);
  Planned planned(graph, world, shape, variant);
  EXPECT_EQ(planned.plan().name(), variant.plan);
  const std::string where =
      fmt::format("{} on {}, {} threads: {}", graph.name, shape.text(), threads, variant.text());
  for (const GlobalVertex root : oracle.roots(roots))
    expect_right(oracle, planned.parents(root), root, where);
}

/// Every variant on one of its grids, with one thread or two, all in turn.
void search_in_turn(const SampleGraph& graph, std::size_t roots, std::size_t turn,
                    const std::vector<Variant>& chosen) {
  const Oracle oracle(graph);
  for (const Variant& variant : chosen) {
    const auto shapes = shapes_of_plan(variant.plan, test::world().size());
    search(graph, oracle, roots, shapes[turn % shapes.size()], variant, 1 + static_cast<int>(turn / 2 % 2));
    ++turn;
  }
}

TEST(Published, FindTheLevelsOfTheQueueSearchOnEveryGrid) {
  const SampleGraph graph = test::kronecker_graph(8, 12);
  const Oracle oracle(graph);
  for (const Variant& variant : plans()) {
    for (const GridShape shape : shapes_of_plan(variant.plan, test::world().size())) {
      for (const int threads : {1, 2}) search(graph, oracle, 6, shape, variant, threads);
    }
  }
}

TEST(Published, FindThemWithEverySwitch) {
  search_in_turn(test::kronecker_graph(8, 8), 2, 0, variants());
  search_in_turn(test::archipelago(5, 500), 4, 1, variants());
}

TEST(Published, FindThemInOddGraphs) {
  const std::vector<Variant> all = variants();
  std::size_t turn = 0;
  for (const SampleGraph& graph : test::odd_graphs()) {
    std::vector<Variant> chosen;  // plans in turn, and switches in turn
    for (std::size_t k = 0; k < 2; ++k) chosen.push_back(plans()[(2 * turn + k) % plan_names().size()]);
    chosen.push_back(all[turn % all.size()]);
    search_in_turn(graph, 2, turn++, chosen);
  }
}

TEST(Published, FindThemInMultigraphsAndAlongLongWays) {
  search_in_turn(test::random_multigraph(1, 500, 260), 6, 0, plans());   // mostly tiny components
  search_in_turn(test::random_multigraph(2, 777, 1600), 4, 1, plans());  // long ways
  search_in_turn(test::random_multigraph(3, 97, 3000), 4, 2, plans());   // most edges are duplicates
  search_in_turn(test::random_multigraph(4, 6007, 20000, 6), 3, 3, plans());
  search_in_turn(test::lattice(9, 7), 2, 1, plans());
}

/// Few columns with many arcs each: whoever scans the last ones leaves more unsent than the channel has room
/// for, at a time when there is nothing left to scan. A thread that waited for room then was left alone.
TEST(Published, EndLevelsThatLeaveTheChannelCrowded) {
  SampleGraph graph{"wheel of many spokes", 400, {}};
  for (std::int64_t k = 0; k < 160'000; ++k) {
    graph.edges.push_back({GlobalVertex{k % 2}, GlobalVertex{2 + k * 7919 % 398}});
  }
  const Oracle oracle(graph);
  const GridShape shape{1, test::world().size()};
  for (const auto& [plan, threads] : {std::pair{"simple", 3}, {"two-dim", 2}, {"two-dim", 3}}) {
    search(graph, oracle, 3, shape, {plan}, threads);
  }
}

TEST(Published, FindThemInTinyPieces) {
  const SampleGraph graph = test::kronecker_graph(5, 6);
  const Oracle oracle(graph);
  for (const std::int64_t limit : {5, 64}) {
    const Communicator pieces(test::world().handle(),
                              {.bytes_per_call = limit, .prefer_large_counts = false});
    for (const Variant& variant : plans()) {
      for (const GridShape shape : shapes_of_plan(variant.plan, pieces.size())) {
        search(graph, oracle, 2, shape, variant, 1, pieces);
      }
    }
  }
}

/// Trees depend on the order in which proposals arrive, levels do not.
TEST(Published, AreNotInfluencedByTheSearchBefore) {
  const SampleGraph graph = test::archipelago(9, 900);
  const Oracle oracle(graph);
  const std::vector<GlobalVertex> roots = oracle.roots(8);
  std::size_t turn = 0;
  for (const Variant& variant : variants()) {
    if (variant.has_exchange() && variant.plan != "one-sided") continue;
    const auto shapes = shapes_of_plan(variant.plan, test::world().size());
    const Setting setting(best_instruction_set(), 1 + static_cast<int>(turn % 2));
    Planned planned(graph, test::world(), shapes[turn++ % shapes.size()], variant);
    std::mt19937_64 draw(turn);
    for (int again = 0; again < 8; ++again) {
      const GlobalVertex root = roots[draw() % roots.size()];
      expect_right(oracle, planned.parents(root), root, variant.text());
    }
  }
}

/// The first neighbour of the row that is in the frontier, the least parent of the level: whoever is first.
TEST(Published, TreesOfReplicatedCsrAndOneSidedDependOnNothingElse) {
  const SampleGraph graph = test::kronecker_graph(8, 10);
  const Oracle oracle(graph);
  for (const Variant& variant :
       {Variant{"replicated-csr"}, Variant{"one-sided"}, Variant{"one-sided", "exchange=emulated"}}) {
    const GridShape shape = default_shape(variant.plan, test::world().size());
    for (const GlobalVertex root : oracle.roots(3)) {
      std::vector<std::vector<GlobalVertex>> trees;
      for (const int threads : {1, 2, 2}) {
        const Setting setting(best_instruction_set(), threads);
        trees.push_back(Planned(graph, test::world(), shape, variant).parents(root));
      }
      EXPECT_EQ(trees[0], trees[1]) << variant.text();
      EXPECT_EQ(trees[0], trees[2]) << variant.text();
    }
  }
}

TEST(Published, TheLeastParentWinsInOneSided) {
  const SampleGraph graph = test::kronecker_graph(7, 10);
  const Oracle oracle(graph);
  Planned planned(graph, test::world(), {1, test::world().size()}, {"one-sided"});
  for (const GlobalVertex root : oracle.roots(3)) {
    const std::vector<GlobalVertex> parents = planned.parents(root);
    const std::vector<Level> levels = reference::bfs(oracle.adjacency(), root).levels;
    for (std::size_t v = 0; v < parents.size(); ++v) {
      if (levels[v] <= 0) continue;
      const auto& neighbours = oracle.adjacency().neighbours[v];  // ascending
      const auto least = std::ranges::find_if(neighbours, [&](GlobalVertex u) {
        return levels[static_cast<std::size_t>(raw(u))] == levels[v] - 1;
      });
      ASSERT_NE(least, neighbours.end());
      EXPECT_EQ(parents[v], *least) << "vertex " << v;
    }
  }
}

TEST(Published, ObeyTheRulesAndCountTheEdges) {
  const SampleGraph graph = test::archipelago(13, 400);
  const Oracle oracle(graph);
  for (const Variant& variant : plans()) {
    for (const GridShape shape : shapes_of_plan(variant.plan, test::world().size())) {
      Planned planned(graph, test::world(), shape, variant);
      for (const GlobalVertex root : oracle.roots(4)) {
        const std::vector<GlobalVertex> parents = planned.parents(root);
        const TraversedEdges counted = planned.plan().traversed_edges(root);
        const reference::Verdict verdict = reference::validate_bfs(
            graph.edges, parents, root, counted.without_self_loops, counted.self_loops);
        EXPECT_TRUE(verdict.passed()) << variant.text() << " on " << shape.text() << " root " << raw(root);
      }
    }
  }
}

std::int64_t edges_between_two(const SampleGraph& graph) {
  return std::ranges::count_if(graph.edges, [](const Edge& edge) { return edge.u != edge.v; });
}

/// Where duplicates are kept, each of them is two arcs; where they are dropped, they count once.
TEST(Published, PassTheConstructionCheck) {
  for (const SampleGraph& graph : {test::kronecker_graph(5, 16), test::random_multigraph(12, 111, 900)}) {
    const Oracle oracle(graph);
    const SpanEdgeStream mine = test::share_of(graph, test::world().rank(), test::world().size());
    for (const Variant& variant : variants()) {
      if (variant.has_exchange()) continue;
      const bool keeps = variant.switches().keep_duplicates;
      for (const GridShape shape : shapes_of_plan(variant.plan, test::world().size())) {
        Planned planned(graph, test::world(), shape, variant);
        const auto check = planned.plan().check_construction(mine).value();
        const std::int64_t arcs =
            2 * (keeps ? edges_between_two(graph) : oracle.adjacency().num_distinct_edges());
        EXPECT_EQ(check.missing_arcs, 0) << variant.text();
        EXPECT_EQ(check.met_arcs, arcs) << variant.text();
        EXPECT_EQ(check.arcs, arcs) << variant.text();
      }
    }
  }
}

/// A duplicate that construction lost is missed by the check, a plan that drops them does not mind.
TEST(Published, TheConstructionCheckMissesADroppedDuplicate) {
  const SampleGraph whole = test::random_multigraph(14, 60, 500);
  SampleGraph without = whole;
  const auto is_duplicate = [&](const Edge& edge) {
    return edge.u != edge.v && std::ranges::count(whole.edges, edge) > 1;
  };
  const auto lost = std::ranges::find_if(without.edges, is_duplicate);
  ASSERT_NE(lost, without.edges.end());
  const Edge missing{std::min(lost->u, lost->v), std::max(lost->u, lost->v)};
  without.edges.erase(lost);
  const SpanEdgeStream all = test::share_of(whole, test::world().rank(), test::world().size());
  for (const Variant& variant : plans()) {
    Planned planned(without, test::world(), default_shape(variant.plan, test::world().size()), variant);
    const auto check = planned.plan().check_construction(all).value();
    if (variant.plan == "hybrid") {
      EXPECT_EQ(check.missing_arcs, 0);
    } else {
      EXPECT_EQ(check.missing_arcs, 2) << variant.text();
      EXPECT_EQ(check.first_missing, missing) << variant.text();
    }
  }
}

}  // namespace
}  // namespace isobath
