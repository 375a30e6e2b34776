// SPDX-License-Identifier: Apache-2.0
// Searches with families of heavy vertices, on one grid column of any length, and of hubs, on several,
// against the queue search.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::Oracle;
using test::SampleGraph;
using test::Searched;
using test::Setting;

/// Only rank 0 compares: every rank has the whole tree.
void expect_tree(const Oracle& oracle, const std::vector<GlobalVertex>& parents, GlobalVertex root,
                 const std::string& where) {
  if (test::world().rank() != 0) return;
  EXPECT_EQ(oracle.complaint(parents, root), "") << where;
}

/// The lattice is a component outside the main one that is too large to be remembered vertex by vertex.
TEST(Families, AreSearchedOnEveryRank) {
  SampleGraph graph = test::random_multigraph(5, 15000, 60000, 5);
  const SampleGraph outside = test::lattice(67, 71);
  for (const auto& [u, v] : outside.edges) {
    graph.edges.push_back(
        {GlobalVertex{raw(u) + graph.num_vertices}, GlobalVertex{raw(v) + graph.num_vertices}});
  }
  const GlobalVertex root_outside{graph.num_vertices + 100};
  graph.num_vertices += outside.num_vertices;
  const Oracle oracle(graph);
  const bool alone = test::world().size() == 1;
  const GridShape column{test::world().size(), 1};
  for (const InstructionSet set : supported_instruction_sets()) {
    if (!alone && set != best_instruction_set()) continue;
    for (const int threads : alone ? std::vector<int>{1, 2, 3} : std::vector<int>{1}) {
      const Setting setting(set, threads);
      Searched searched(graph, test::world(), column);
      for (const GlobalVertex root : oracle.roots(4))
        expect_tree(oracle, searched.parents(root), root, setting.text());
      expect_tree(oracle, searched.parents(root_outside), root_outside, setting.text() + ", outside");
    }
  }
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;
    const Setting setting(best_instruction_set(), 1);
    Searched searched(graph, test::world(), shape);
    EXPECT_GT(searched.search().facts().prepared.families, 0) << shape.text();
    for (const GlobalVertex root : oracle.roots(3))
      expect_tree(oracle, searched.parents(root), root, shape.text());
    expect_tree(oracle, searched.parents(root_outside), root_outside, shape.text() + ", outside");
  }
  for (const DirectionRule rule : {DirectionRule::top_down, DirectionRule::bottom_up}) {
    const Setting setting(best_instruction_set(), alone ? 2 : 1);
    Switches switches = default_switches("hybrid");
    switches.direction = rule;
    Searched searched(graph, test::world(), column, test::usual, switches);
    for (const GlobalVertex root : oracle.roots(3))
      expect_tree(oracle, searched.parents(root), root, setting.text());
  }
}

/// All heavy vertices on one rank, on the first and the last, or anywhere: the same levels, however few of
/// the families a rank has, and every arc is stored.
TEST(Families, AreSearchedWhereFewRanksHaveHubs) {
  const GridShape column{test::world().size(), 1};
  const std::vector<InstructionSet> sets = supported_instruction_sets();
  std::size_t turn = 0;
  for (const SampleGraph& graph : test::graphs_of_few_hubs()) {
    const Oracle oracle(graph);
    for (const DirectionRule rule :
         {DirectionRule::policy, DirectionRule::top_down, DirectionRule::bottom_up}) {
      const Setting setting(sets[turn % sets.size()], static_cast<int>(turn / sets.size() % 2) + 1);
      ++turn;
      Switches switches = default_switches("hybrid");
      switches.direction = rule;
      switches.leaves_out = rule != DirectionRule::top_down;
      Searched searched(graph, test::world(), column, test::usual, switches);
      EXPECT_GT(searched.search().facts().prepared.families, 0) << graph.name;
      for (const GlobalVertex root : oracle.roots(2)) {
        expect_tree(oracle, searched.parents(root), root, graph.name + ", " + setting.text());
      }
      const auto check = searched.search().check_construction(searched.edges()).value();
      EXPECT_EQ(check.missing_arcs, 0) << graph.name;
      EXPECT_EQ(check.arcs, check.met_arcs) << graph.name;
      EXPECT_EQ(check.arcs, 2 * oracle.adjacency().num_distinct_edges()) << graph.name;
    }
  }
}

/// The same on several columns, where hubs are told in both directions; also where most ranks have nothing to
/// search, but take part in what is told, and each level finds some of the hubs.
TEST(Families, AreFollowedOnSeveralColumnsWhereFewRanksHaveHubs) {
  std::vector<SampleGraph> graphs = test::graphs_of_few_hubs();
  graphs.push_back(test::stars_in_front(1200));
  for (const SampleGraph& graph : graphs) {
    const Oracle oracle(graph);
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      if (shape.cols == 1) continue;
      for (const DirectionRule rule :
           {DirectionRule::policy, DirectionRule::top_down, DirectionRule::bottom_up}) {
        const Setting setting(best_instruction_set(), 1);
        Switches switches = default_switches("hybrid");
        switches.direction = rule;
        Searched searched(graph, test::world(), shape, test::usual, switches);
        for (const GlobalVertex root : oracle.roots(2)) {
          expect_tree(oracle, searched.parents(root), root, graph.name + " on " + shape.text());
        }
      }
    }
  }
}

}  // namespace
}  // namespace isobath
