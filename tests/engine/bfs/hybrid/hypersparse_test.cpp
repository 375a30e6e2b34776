// SPDX-License-Identifier: Apache-2.0
// Rows and columns that exist, against all of them, and wide positions of originals, against narrow ones: the
// same search, to the byte.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/counted_bytes.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::AuditedBytes;
using test::CountedBytes;
using test::Oracle;
using test::Policy;
using test::SampleGraph;
using test::Searched;
using test::Setting;

/// A plan with its switches otherwise than usual.
Switches changed(const AskedSwitches& asked) { return switches_for("hybrid", asked); }

/// What one search finds and sends, on all ranks.
struct Outcome {
  Outcome(Searched& searched, GlobalVertex root) {
    CountedBytes counted(searched.search());
    const FoundTree tree = searched.search().search(root, counted);
    counted.settle();
    parents = test::world().allgatherv<GlobalVertex>(tree.parents);
    bytes = counted.of_all_ranks(test::world());
  }
  std::vector<GlobalVertex> parents;
  AuditedBytes bytes;
};

/// How a graph is kept on the ranks, apart from switches.
struct Kept {
  Hypersparse hypersparse = Hypersparse::never;
  int position_bits = 0;
};

/// What two searches are to have in common.
struct Alike {
  bool trees;  // from one thread; from two, whose top-down levels take any parent, levels
  bool bytes;  // in every step
};

/// One search on either graph.
void compare_searches(Searched& all, Searched& existing, GlobalVertex root, Alike alike,
                      const std::string& where) {
  const Outcome expected(all, root);
  const Outcome found(existing, root);
  if (alike.bytes) {
    EXPECT_EQ(test::difference(expected.bytes, found.bytes), "") << where << ", root " << raw(root);
  }
  if (alike.trees) {
    EXPECT_EQ(found.parents, expected.parents) << where << ", root " << raw(root);
  } else {
    EXPECT_EQ(test::levels_of(found.parents, root), test::levels_of(expected.parents, root))
        << where << ", root " << raw(root);
  }
}

/// @param without  ranks of which most rows have no arc, where all rows have planes
void compare(const SampleGraph& sample, GridShape shape, const Setting& setting, bool same_trees,
             const Policy& policy, const Switches& switches, Kept kept, int without) {
  const Communicator& world = test::world();
  Searched all(sample, world, shape, policy, switches, Hypersparse::never, 0);
  Searched existing(sample, world, shape, policy, switches, kept.hypersparse, kept.position_bits);
  // Plain proposals have 16 bytes where originals are wide.
  const Alike alike{.trees = same_trees,
                    .bytes = kept.position_bits == 0 || switches.fold == FoldForm::packed};
  const std::string where =
      fmt::format("{} on {}, {}, {}", sample.name, shape.text(), setting.text(), policy.name);
  EXPECT_EQ(all.search().facts().prepared.first_neighbours, switches.streams) << where;
  const Prepared& prepared = existing.search().facts().prepared;
  EXPECT_EQ(prepared.first_neighbours, switches.streams && without < world.size()) << where;
  EXPECT_EQ(prepared.ranks_without_first_neighbours, prepared.first_neighbours ? without : 0) << where;
  const Oracle oracle(sample);
  for (const GlobalVertex root : oracle.roots(2)) compare_searches(all, existing, root, alike, where);
  const auto check = existing.search().check_construction(existing.edges()).value();
  EXPECT_EQ(check.missing_arcs, 0) << where;
  EXPECT_EQ(check.arcs, check.met_arcs) << where;
  EXPECT_EQ(check.arcs, 2 * oracle.adjacency().num_distinct_edges()) << where;
  EXPECT_EQ(existing.search().facts().components, all.search().facts().components) << where;
}

std::vector<SampleGraph> samples() {
  return {test::kronecker_graph(9, 8), test::archipelago(7, 500), test::lattice(7, 9),
          test::random_multigraph(6, 1500, 4500, 4)};
}

/// Settings, directions and switches take turns.
void compare_in_turn(const SampleGraph& sample, GridShape shape, std::size_t turn, Kept kept, int without) {
  const std::vector<InstructionSet> sets = supported_instruction_sets();
  const std::vector<Policy> policies = {test::usual, test::always_bottom_up, test::always_top_down,
                                        test::bottom_up_by_arcs};
  const std::vector<Switches> switches = {default_switches("hybrid"), changed({{"hubs", "off"}}),
                                          changed({{"overlap", "off"}, {"streams", "off"}}),
                                          changed({{"fold", "plain"}, {"frontier", "list"}}),
                                          changed({{"relabel", "off"}, {"leaves", "in"}, {"hubs", "off"}})};
  const int threads = static_cast<int>(turn / sets.size() % 2) + 1;
  const Setting setting(sets[turn % sets.size()], threads);
  compare(sample, shape, setting, threads == 1, policies[turn % policies.size()],
          switches[turn % switches.size()], kept, without);
}

TEST(Hypersparse, SearchesAsWithAllRows) {
  const int ranks = test::world().size();
  std::size_t first = 0;
  for (const SampleGraph& sample : samples()) {
    std::size_t turn = first++;  // each shape has every choice in turn, however many shapes there are
    for (const GridShape shape : test::shapes_of(ranks)) {
      if (shape.cols == 1 && ranks > 2) continue;  // rows are complete
      compare_in_turn(sample, shape, turn, {Hypersparse::always, turn % 2 == 0 ? 0 : 3},
                      shape.cols == 1 ? 0 : ranks);
      ++turn;
    }
  }
}

/// Three low bits, and the rest in a byte: who forgot it would name other parents.
TEST(WidePositions, AreSearchedAsNarrowOnes) {
  const int ranks = test::world().size();
  std::size_t first = 0;
  for (const SampleGraph& sample : samples()) {
    std::size_t turn = first++;
    for (const GridShape shape : test::shapes_of(ranks)) {
      if (shape.cols == 1) continue;  // they are narrow
      for (int choice = 0; choice < (ranks > 2 ? 1 : 3); ++choice) {
        compare_in_turn(sample, shape, turn++, {Hypersparse::never, 3}, 0);
      }
    }
  }
}

/// A rank whose list of a frontier is without columns that have no arc on it still tells of the hubs among
/// them, or it would send fewer bytes. Hubs of five or six neighbours have no arc on some ranks.
TEST(Hypersparse, TellsOfHubsThatHaveNoArcHere) {
  const int ranks = test::world().size();
  const SampleGraph sample = test::random_multigraph(6, 900, 1200);
  // Where rows are hypersparse a list as it was found is in another order, so that trees differ: two threads.
  const std::vector<Switches> switches = {default_switches("hybrid"), changed({{"frontier", "list"}}),
                                          changed({{"frontier", "bitmap"}, {"relabel", "off"}}),
                                          changed({{"hubs", "off"}})};
  for (const GridShape shape : test::shapes_of(ranks)) {
    if (shape.rows == 1 || shape.cols == 1) continue;  // no frontier travels; rows are complete
    for (std::size_t choice = 0; choice < switches.size(); ++choice) {
      const int threads = static_cast<int>(choice % 2) + 1;
      const Setting setting(best_instruction_set(), threads);
      compare(sample, shape, setting, threads == 1, test::always_top_down, switches[choice],
              {Hypersparse::always, 0}, ranks);
    }
  }
}

/// All ranks but those of the first grid column have arcs to few of their rows, and choose by that.
TEST(Hypersparse, SearchesAlikeWhereSomeRanksOfOneRunAreHypersparseAndOthersNot) {
  const int ranks = test::world().size();
  const SampleGraph sample = test::joined_to_the_front(701);
  std::size_t turn = 0;
  for (const GridShape shape : test::shapes_of(ranks)) {
    if (shape.cols == 1) continue;
    for (int choice = 0; choice < (ranks > 3 ? 2 : 5); ++choice) {  // several grids have all choices in turn
      compare_in_turn(sample, shape, turn++, {Hypersparse::by_count, choice % 2 == 0 ? 0 : 2},
                      ranks - shape.rows);
    }
  }
}

}  // namespace
}  // namespace isobath
