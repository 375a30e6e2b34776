// SPDX-License-Identifier: Apache-2.0
// Every search against the queue search: on every grid of the ranks there are, with every instruction set,
// one and two threads, and every policy of direction.
#include "bfs/hybrid/grid_search.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/error.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/rules.hpp"

namespace isobath {
namespace {

using test::Oracle;
using test::Policy;
using test::SampleGraph;
using test::Searched;
using test::Setting;
using test::shapes_of;

/// Only rank 0 compares: every rank has the whole tree.
void expect_right(const Oracle& oracle, const std::vector<GlobalVertex>& parents, GlobalVertex root,
                  const std::string& where) {
  if (test::world().rank() != 0) return;
  EXPECT_EQ(oracle.complaint(parents, root), "") << where;
}

void search(const SampleGraph& graph, const Oracle& oracle, std::size_t roots, GridShape shape,
            const Setting& setting, const Policy& policy = test::usual,
            const Communicator& world = test::world()) {
  Searched searched(graph, world, shape, policy);
  const std::string where =
      fmt::format("{} on {}, {}, {}", graph.name, shape.text(), setting.text(), policy.name);
  for (const GlobalVertex root : oracle.roots(roots))
    expect_right(oracle, searched.parents(root), root, where);
}

/// On every grid with every setting.
void search_everywhere(const SampleGraph& graph, std::size_t roots) {
  const Oracle oracle(graph);
  for (const GridShape shape : shapes_of(test::world().size())) {
    for (const InstructionSet set : supported_instruction_sets()) {
      for (const int threads : {1, 2}) search(graph, oracle, roots, shape, Setting(set, threads));
    }
  }
}

/// On every grid, settings taking turns from call to call.
void search_in_turn(const SampleGraph& graph, std::size_t roots, std::size_t turn,
                    const Policy& policy = test::usual) {
  const Oracle oracle(graph);
  const std::vector<InstructionSet> sets = supported_instruction_sets();
  for (const GridShape shape : shapes_of(test::world().size())) {
    const Setting setting(sets[turn % sets.size()], static_cast<int>(turn / sets.size() % 2) + 1);
    search(graph, oracle, roots, shape, setting, policy);
    ++turn;
  }
}

TEST(GridSearch, FindsTheLevelsOfTheQueueSearchOnKroneckerGraphs) {
  search_everywhere(test::kronecker_graph(8, 16), 20);
  search_everywhere(test::kronecker_graph(10, 3), 20);
}

TEST(GridSearch, FindsThemWithOtherEdgefactors) {
  std::size_t turn = 0;
  for (const auto& [scale, edgefactor] :
       std::vector<std::pair<int, int>>{{9, 1}, {7, 64}, {5, 16}, {2, 16}, {1, 5}}) {
    search_in_turn(test::kronecker_graph(scale, edgefactor), 10, turn++);
  }
}

/// Levels on either side of every limit: by one thread, by threads that share a bitmap, by threads with one
/// each.
TEST(GridSearch, FindsThemInLevelsOfAllSizes) {
  const SampleGraph graph = test::random_multigraph(8, 40000, 110000);
  const Oracle oracle(graph);
  for (const int threads : test::world().size() == 1 ? std::vector<int>{1, 2, 3} : std::vector<int>{1}) {
    Switches switches = default_switches("hybrid");
    switches.direction = DirectionRule::top_down;
    const Setting setting(best_instruction_set(), threads);
    Searched searched(graph, test::world(), shapes_of(test::world().size()).front(), test::usual, switches);
    for (const GlobalVertex root : oracle.roots(4))
      expect_right(oracle, searched.parents(root), root, setting.text());
  }
}

TEST(GridSearch, FindsThemInOddGraphs) {
  std::size_t turn = 0;
  for (const SampleGraph& graph : test::odd_graphs()) search_in_turn(graph, 5, turn++);
}

TEST(GridSearch, FindsThemInRandomMultigraphs) {
  std::size_t turn = 0;
  search_in_turn(test::random_multigraph(1, 500, 260), 12, turn++);        // mostly tiny components
  search_in_turn(test::random_multigraph(2, 777, 1600), 8, turn++);        // one component, long ways
  search_in_turn(test::random_multigraph(3, 97, 5000), 6, turn++);         // dense: most edges are duplicates
  search_in_turn(test::random_multigraph(4, 10007, 30000, 6), 8, turn++);  // several blocks of emit, hubs
  search_in_turn(test::archipelago(5, 1500), 16, turn++);
}

/// Levels of more than 8,192 arcs, by all threads, and rows longer than the planes reached late.
TEST(GridSearch, FindsThemWhateverTheDirections) {
  std::size_t turn = 1;
  for (const Policy& policy : {test::always_top_down, test::always_bottom_up, test::bottom_up_by_arcs}) {
    search_in_turn(test::kronecker_graph(11, 16), 6, turn++, policy);
    search_in_turn(test::random_multigraph(6, 3000, 9000, 4), 6, turn++, policy);
    search_in_turn(test::lattice(11, 15), 4, turn++, policy);  // many levels
    search_in_turn(test::archipelago(7, 900), 10, turn++, policy);
  }
}

/// Every switch the other way, alone and all together: the same levels, and the construction check holds.
TEST(GridSearch, FindsThemWhateverTheSwitches) {
  const Switches usual = default_switches("hybrid");
  std::vector<std::pair<std::string, Switches>> variants;
  const auto add = [&](const char* name, auto&& change) {
    Switches switches = usual;
    change(switches);
    variants.emplace_back(name, switches);
  };
  add("not relabelled", [](Switches& s) { s.relabel = false; });
  add("no families", [](Switches& s) { s.families = false; });
  add("leaves in", [](Switches& s) { s.leaves_out = false; });
  add("no likely parents", [](Switches& s) { s.likely_parents = false; });
  add("the plainest", [](Switches& s) { s.relabel = s.leaves_out = s.likely_parents = false; });
  add("neither", [](Switches& s) { s.relabel = s.leaves_out = false; });
  add("no hub pass", [](Switches& s) { s.hub_pass = false; });
  add("no hub pass, bottom-up", [](Switches& s) {
    s.hub_pass = false;
    s.direction = DirectionRule::bottom_up;
  });
  add("hubs without likely parents, bottom-up", [](Switches& s) {
    s.likely_parents = false;
    s.direction = DirectionRule::bottom_up;
  });
  add("no streams", [](Switches& s) { s.streams = false; });
  add("no overlap", [](Switches& s) { s.overlap = false; });
  add("plain fold", [](Switches& s) { s.fold = FoldForm::plain; });
  add("bitmap frontier", [](Switches& s) { s.frontier = FrontierForm::bitmap; });
  add("list frontier", [](Switches& s) { s.frontier = FrontierForm::list; });
  add("smaller frontier", [](Switches& s) { s.frontier = FrontierForm::smaller; });
  add("top-down", [](Switches& s) { s.direction = DirectionRule::top_down; });
  add("bottom-up", [](Switches& s) { s.direction = DirectionRule::bottom_up; });
  add("nothing", [](Switches& s) {
    s.relabel = s.leaves_out = s.hub_pass = s.streams = s.overlap = false;
    s.fold = FoldForm::plain;
    s.frontier = FrontierForm::smaller;
    s.direction = DirectionRule::top_down;
  });
  const Communicator& world = test::world();
  std::size_t turn = 0;
  for (const SampleGraph& graph :
       {test::kronecker_graph(9, 8), test::archipelago(13, 500), test::lattice(7, 9)}) {
    const Oracle oracle(graph);
    for (const auto& [name, switches] : variants) {
      for (const GridShape shape : shapes_of(world.size())) {
        const Policy& policy = turn % 2 == 0 ? test::usual : test::bottom_up_by_arcs;
        const Setting setting(best_instruction_set(), static_cast<int>(turn++ / 2 % 2) + 1);
        Searched searched(graph, world, shape, policy, switches);
        const std::string where =
            fmt::format("{} on {}, {}, {}", graph.name, shape.text(), name, policy.name);
        for (const GlobalVertex root : oracle.roots(3)) {
          const std::vector<GlobalVertex> parents = searched.parents(root);
          expect_right(oracle, parents, root, where);
          const TraversedEdges counted = searched.search().traversed_edges(root);
          const reference::Verdict verdict = reference::validate_bfs(
              graph.edges, parents, root, counted.without_self_loops, counted.self_loops);
          EXPECT_TRUE(verdict.passed()) << where << " root " << raw(root);
        }
        const auto check = searched.search().check_construction(searched.edges()).value();
        EXPECT_EQ(check.missing_arcs, 0) << where;
        EXPECT_EQ(check.arcs, check.met_arcs) << where;
        EXPECT_EQ(check.arcs, 2 * oracle.adjacency().num_distinct_edges()) << where;
        EXPECT_EQ(searched.search().facts().distinct_edges, oracle.adjacency().num_distinct_edges()) << where;
      }
    }
  }
}

/// What emit copies is what was found: with one thread the same tree with and without likely parents, from
/// the main component, beside it, and from leaves.
TEST(GridSearch, LikelyParentsChangeNoTree) {
  const Setting setting(best_instruction_set(), 1);
  const bool alone = test::world().size() == 1;
  std::vector<SampleGraph> graphs = {test::kronecker_graph(9, 16), test::archipelago(9, 500)};
  if (alone) graphs.push_back(test::random_multigraph(5, 15000, 60000, 5));  // has families
  for (const SampleGraph& graph : graphs) {
    const Oracle oracle(graph);
    for (const bool families : alone ? std::vector<bool>{true, false} : std::vector<bool>{true}) {
      for (const GridShape shape : shapes_of(test::world().size())) {
        Switches switches = default_switches("hybrid");
        switches.families = families;
        Searched with(graph, test::world(), shape, test::usual, switches);
        switches.likely_parents = false;
        Searched without(graph, test::world(), shape, test::usual, switches);
        const std::string where = fmt::format("{} on {}", graph.name, shape.text());
        const std::int64_t in_main = with.search().facts().largest_component_vertices;
        const std::int64_t copied = with.search().facts().prepared.likely_parents;
        if (shape.cols == 1) {
          EXPECT_EQ(copied, in_main) << where;
        } else {  // those that keep a hub, and leaves
          EXPECT_GT(copied, in_main / 4) << where;
          EXPECT_LE(copied, in_main) << where;
        }
        EXPECT_EQ(without.search().facts().prepared.likely_parents, 0) << where;
        for (const GlobalVertex root : oracle.roots(alone ? 12 : 2)) {
          EXPECT_EQ(without.parents(root), with.parents(root)) << where << " root " << raw(root);
        }
      }
    }
  }
}

/// Whether owners ask their hubs first changes parents, never levels.
TEST(GridSearch, FindsTheSameLevelsByHubs) {
  const Communicator& world = test::world();
  const std::vector<InstructionSet> sets = supported_instruction_sets();
  std::size_t turn = 0;
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(10, 16));
  for (const SampleGraph& graph : graphs) {
    const Oracle oracle(graph);
    for (const GridShape shape : shapes_of(world.size())) {
      if (shape.cols == 1) continue;
      const Setting setting(sets[turn % sets.size()], static_cast<int>(turn / sets.size() % 2) + 1);
      ++turn;
      Switches switches = default_switches("hybrid");
      Searched with(graph, world, shape, test::always_bottom_up, switches);
      switches.hub_pass = false;
      Searched without(graph, world, shape, test::always_bottom_up, switches);
      const std::string where = fmt::format("{} on {}, {}", graph.name, shape.text(), setting.text());
      EXPECT_EQ(without.search().facts().prepared.told_hubs, 0) << where;
      for (const GlobalVertex root : oracle.roots(3)) {
        const std::vector<GlobalVertex> parents = with.parents(root);
        expect_right(oracle, parents, root, where);
        EXPECT_EQ(test::levels_of(parents, root), test::levels_of(without.parents(root), root)) << where;
      }
    }
  }
}

TEST(GridSearch, SendsFewerParentsWhereOwnersAskTheirHubs) {
  /// Bytes that this rank sends in the fold.
  struct Folded final : SearchObserver {
    explicit Folded(const SearchPlan& searched) : plan(searched), last(searched.traffic().bytes_sent) {}
    void phase(Phase begun) override {
      const std::int64_t sent = plan.traffic().bytes_sent;
      if (now == Phase::fold) bytes += sent - last;
      last = sent;
      now = begun;
    }
    const SearchPlan& plan;
    std::int64_t last;
    std::int64_t bytes = 0;
    Phase now = Phase::start;
  };
  const Communicator& world = test::world();
  const SampleGraph graph = test::kronecker_graph(11, 16);
  const GlobalVertex root = Oracle(graph).roots(1).front();
  for (const GridShape shape : shapes_of(world.size())) {
    if (shape.cols == 1) continue;
    std::int64_t bytes[2] = {};
    for (const bool by_hubs : {false, true}) {
      Switches switches = default_switches("hybrid");
      switches.hub_pass = by_hubs;
      Searched searched(graph, world, shape, test::always_bottom_up, switches);
      Folded folded(searched.search());
      searched.search().search(root, folded);
      bytes[by_hubs ? 1 : 0] = world.sum(folded.bytes);
      EXPECT_EQ(searched.search().facts().prepared.told_hubs > 0, by_hubs);
    }
    EXPECT_LT(2 * bytes[1], bytes[0]) << shape.text();
  }
}

/// What is told of construction is what it did, on this many ranks.
TEST(GridSearch, TellsWhatWasPrepared) {
  const Communicator& world = test::world();
  const SampleGraph graph = test::hubs_in_front(4001);
  const GridShape shape{world.size(), 1};
  const Prepared done = Searched(graph, world, shape).search().facts().prepared;
  EXPECT_TRUE(done.by_degree);
  EXPECT_TRUE(done.first_neighbours);
  EXPECT_GT(done.families, 0);
  EXPECT_FALSE(done.by_weight);
  if (world.size() > 1) {
    const GridShape row{1, world.size()};
    EXPECT_GT(Searched(graph, world, row).search().facts().prepared.families, 0) << "of hubs";
    Switches classes = default_switches("hybrid");
    classes.families = false;
    const Prepared by_class = Searched(graph, world, row, test::usual, classes).search().facts().prepared;
    EXPECT_TRUE(by_class.by_degree);
    EXPECT_EQ(by_class.families, 0);
  }

  Switches plain = default_switches("hybrid");
  plain.relabel = plain.families = plain.leaves_out = plain.likely_parents = plain.hub_pass = plain.streams =
      false;
  Searched plainest(graph, world, shape, test::usual, plain);
  const GraphFacts& facts = plainest.search().facts();
  EXPECT_FALSE(facts.prepared.by_degree);
  EXPECT_FALSE(facts.prepared.first_neighbours);
  EXPECT_EQ(facts.prepared.families, 0);
  EXPECT_EQ(facts.leaves, 0);
  EXPECT_EQ(facts.searched_vertices, facts.num_vertices);
}

TEST(GridSearch, FindsThemWhereOneRankContributesAllEdges) {
  const Communicator& world = test::world();
  const SampleGraph graph = test::kronecker_graph(8, 8);
  const Oracle oracle(graph);
  const SampleGraph nothing{"", graph.num_vertices, {}};
  for (const GridShape shape : shapes_of(world.size())) {
    const SampleGraph& mine = world.rank() == world.size() - 1 ? graph : nothing;
    const SpanEdgeStream edges(mine.num_vertices, mine.edges);
    PhaseObserver nobody;
    SearchObserver silent;
    GridSearch plan(edges, world, {.shape = shape, .node_of_rank = {}}, nobody);
    for (const GlobalVertex root : oracle.roots(6)) {
      expect_right(oracle, world.allgatherv<GlobalVertex>(plan.search(root, silent).parents), root,
                   shape.text());
    }
  }
}

TEST(GridSearch, FindsThemInTinyPieces) {
  const Communicator pieces(test::world().handle(), {.bytes_per_call = 64, .prefer_large_counts = false});
  for (const SampleGraph& graph : {test::kronecker_graph(7, 8), test::archipelago(8, 300)}) {
    const Oracle oracle(graph);
    for (const GridShape shape : shapes_of(pieces.size())) {
      for (const Policy& policy : {test::usual, test::always_bottom_up}) {
        search(graph, oracle, 6, shape, Setting(best_instruction_set(), 1), policy, pieces);
      }
    }
  }
}

/// No information passes from search to search: with one thread the tree depends on nothing but graph and
/// root.
TEST(GridSearch, IsNotInfluencedByTheSearchBefore) {
  const SampleGraph graph = test::archipelago(9, 1200);
  const Oracle oracle(graph);
  const Setting setting(best_instruction_set(), 1);
  for (const GridShape shape : shapes_of(test::world().size())) {
    for (const Policy& policy : {test::usual, test::always_top_down}) {
      Searched searched(graph, test::world(), shape, policy);
      const std::vector<GlobalVertex> roots = oracle.roots(10);
      std::vector<std::vector<GlobalVertex>> first;
      for (const GlobalVertex root : roots) first.push_back(searched.parents(root));
      std::mt19937_64 draw(10);
      for (int again = 0; again < 16; ++again) {
        const std::size_t k = draw() % roots.size();
        EXPECT_EQ(searched.parents(roots[k]), first[k]) << shape.text() << " root " << raw(roots[k]);
      }
      EXPECT_EQ(searched.parents(roots[0]), first[0]);
      EXPECT_EQ(searched.parents(roots[0]), first[0]);
      expect_right(oracle, first[0], roots[0], shape.text());
    }
  }
}

TEST(GridSearch, ObeysTheRulesAndCountsTheEdges) {
  const SampleGraph graph = test::kronecker_graph(7, 6);
  const Oracle oracle(graph);
  for (const GridShape shape : shapes_of(test::world().size())) {
    Searched searched(graph, test::world(), shape);
    for (const GlobalVertex root : oracle.roots(8)) {
      const std::vector<GlobalVertex> parents = searched.parents(root);
      const TraversedEdges counted = searched.search().traversed_edges(root);
      const reference::Verdict verdict =
          reference::validate_bfs(graph.edges, parents, root, counted.without_self_loops, counted.self_loops);
      EXPECT_TRUE(verdict.passed()) << shape.text() << " root " << raw(root);
      EXPECT_EQ(reference::levels_from_parents(parents, root), test::levels_of(parents, root));
    }
  }
}

TEST(GridSearch, PassesTheConstructionCheck) {
  for (const SampleGraph& graph :
       {test::kronecker_graph(8, 16), test::archipelago(11, 700), test::random_multigraph(12, 333, 1000)}) {
    for (const GridShape shape : shapes_of(test::world().size())) {
      Searched searched(graph, test::world(), shape);
      const auto check = searched.search().check_construction(searched.edges()).value();
      EXPECT_EQ(check.missing_arcs, 0) << graph.name << " on " << shape.text();
      EXPECT_EQ(check.arcs, check.met_arcs);
      EXPECT_EQ(check.arcs, 2 * Oracle(graph).adjacency().num_distinct_edges());
    }
  }
}

TEST(GridSearch, RefusesAnIsolatedRootOnAllRanksAndGoesOn) {
  const SampleGraph graph{"an edge and a lonely vertex", 3, {{GlobalVertex{0}, GlobalVertex{2}}}};
  for (const GridShape shape : shapes_of(test::world().size())) {
    Searched searched(graph, test::world(), shape);
    SearchObserver silent;
    EXPECT_THROW(searched.search().search(GlobalVertex{1}, silent), InternalError);
    expect_right(Oracle(graph), searched.parents(GlobalVertex{2}), GlobalVertex{2}, shape.text());
  }
}

/// What the observer is told adds up.
TEST(GridSearch, TellsLevelsInOrder) {
  struct Levels final : SearchObserver {
    void level_started(Level level, Direction, std::int64_t frontier_vertices) override {
      levels.push_back(level);
      frontiers.push_back(frontier_vertices);
    }
    void level_finished(Level level, std::int64_t arcs_scanned) override {
      EXPECT_EQ(level, levels.back());
      arcs += arcs_scanned;
    }
    void phase(Phase begun) override { last = begun; }
    std::vector<Level> levels;
    std::vector<std::int64_t> frontiers;
    std::int64_t arcs = 0;
    Phase last = Phase::start;
  };
  const SampleGraph graph = test::kronecker_graph(9, 8);
  const Oracle oracle(graph);
  const auto& neighbours = oracle.adjacency().neighbours;
  const auto most = std::ranges::max_element(neighbours, {}, [](const auto& of) { return of.size(); });
  const GlobalVertex heaviest{most - neighbours.begin()};
  for (const GridShape shape : shapes_of(test::world().size())) {
    for (const Policy& policy : {test::usual, test::always_top_down, test::always_bottom_up}) {
      Searched searched(graph, test::world(), shape, policy);
      for (const GlobalVertex root : oracle.roots(6)) {
        Levels told;
        searched.parents(root, told);
        // Leaves and isolated vertices are not searched: count the others of each level.
        const std::vector<Level> levels = reference::bfs(oracle.adjacency(), root).levels;
        std::vector<std::int64_t> searched_of_level;
        std::vector<std::int64_t> arcs_of_level;
        const auto is_searched = [&](std::size_t v) { return oracle.adjacency().neighbours[v].size() > 1; };
        for (std::size_t v = 0; v < levels.size(); ++v) {
          if (levels[v] < 0 || !is_searched(v)) continue;
          const auto level = static_cast<std::size_t>(levels[v]);
          if (searched_of_level.size() <= level) {
            searched_of_level.resize(level + 1);
            arcs_of_level.resize(level + 1);
          }
          ++searched_of_level[level];
          for (const GlobalVertex neighbour : oracle.adjacency().neighbours[v]) {
            arcs_of_level[level] += is_searched(static_cast<std::size_t>(raw(neighbour))) ? 1 : 0;
          }
        }
        std::vector<Level> expected;
        std::vector<std::int64_t> frontiers;
        for (std::size_t level = 0; level < searched_of_level.size(); ++level) {
          if (searched_of_level[level] == 0) continue;  // a leaf as root
          expected.push_back(static_cast<Level>(level));
          frontiers.push_back(searched_of_level[level]);
        }
        EXPECT_EQ(told.levels, expected) << shape.text() << " root " << raw(root);
        EXPECT_EQ(told.frontiers, frontiers) << shape.text() << " root " << raw(root);
        EXPECT_EQ(told.last, Phase::emit);
        const std::int64_t scanned = test::world().sum(told.arcs);
        // In the main component the last level, which finds nothing, is not searched.
        if (oracle.component_of(root) == oracle.component_of(heaviest) && !arcs_of_level.empty()) {
          arcs_of_level.pop_back();
        }
        if (policy.name == test::always_top_down.name) {
          EXPECT_EQ(scanned, std::accumulate(arcs_of_level.begin(), arcs_of_level.end(), std::int64_t{0}));
        }
      }
    }
  }
}

TEST(Plans, KnowsTheirNames) {
  const SampleGraph graph = test::kronecker_graph(4, 4);
  const SpanEdgeStream edges = test::share_of(graph, test::world().rank(), test::world().size());
  PhaseObserver nobody;
  const PlanOptions options{.shape = GridShape::squarest(test::world().size()), .node_of_rank = {}};
  EXPECT_EQ(construct_plan("hybrid", edges, test::world(), options, nobody)->name(), "hybrid");
  try {
    construct_plan("fastest", edges, test::world(), options, nobody);
    ADD_FAILURE() << "there is no such plan";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "there is no search plan 'fastest'; there are replicated-csr, replicated-csc, simple, one-sided, "
        "two-dim, hybrid");
  }
}

}  // namespace
}  // namespace isobath
