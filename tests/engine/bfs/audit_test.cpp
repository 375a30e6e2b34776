// SPDX-License-Identifier: Apache-2.0
// Every byte that a plan sends against the serial walk, rank by rank, in every level and phase.
#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/counted_bytes.hpp"
#include "bfs/hybrid/searched.hpp"
#include "bfs/oracle.hpp"
#include "bfs/plan.hpp"
#include "comm/messages/eager_messages.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/traffic_walk.hpp"
#include "reference/traffic_walk_encoding.hpp"

namespace isobath {
namespace {

using reference::TrafficRules;
using reference::TrafficWalk;
using test::AuditedBytes;
using test::Oracle;
using test::Policy;
using test::SampleGraph;

/// A plan with its switches, as a person would ask for them: "hybrid frontier=list overlap=off".
struct Asked {
  std::string plan;
  AskedSwitches switches;

  explicit Asked(const std::string& text) {
    std::istringstream words(text);
    words >> plan;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      switches[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
};

/// Position of `name` among `names`; both lists are in the order of the walk's enumerators.
template <class Enum>
Enum walked(std::string_view name, std::initializer_list<std::string_view> names) {
  return static_cast<Enum>(std::ranges::find(names, name) - names.begin());
}

TrafficRules rules_of(std::string_view plan, const PlanOptions& options) {
  const Switches& switches = options.switches;
  TrafficRules rules;
  rules.plan = walked<TrafficRules::Plan>(
      plan, {"replicated-csr", "replicated-csc", "simple", "one-sided", "two-dim", "hybrid"});
  rules.rows = options.shape.rows;
  rules.cols = options.shape.cols;
  rules.exchange = walked<TrafficRules::Exchange>(
      named_switches(switches)[0].value, {"own", "alltoallv", "pairwise", "sparse", "neighbour", "one-sided",
                                          "persistent", "two-level", "eager", "emulated"});
  rules.keep_duplicates = switches.keep_duplicates;
  rules.tuple_bytes = 2 * switches.id_bits / 8;
  rules.local_dedup = switches.dedup;
  rules.frontier = walked<TrafficRules::Frontier>(frontier_names[static_cast<std::size_t>(switches.frontier)],
                                                  {"bitmap", "list", "smaller", "packed"});
  rules.packed_fold = switches.fold == FoldForm::packed;
  rules.relabel = switches.relabel;
  rules.families = switches.families && switches.streams;
  rules.leaves_out = switches.leaves_out;
  rules.likely_parents = switches.likely_parents;
  rules.overlap = switches.overlap;
  rules.hub_pass = switches.hub_pass;
  rules.few_hubs = switches.few_hubs;
  rules.direction = walked<TrafficRules::DirectionRule>(
      direction_names[static_cast<std::size_t>(switches.direction)], {"policy", "top-down", "bottom-up"});
  rules.node_of_rank = options.node_of_rank;
  return rules;
}

bool has_shape(const std::string& plan, GridShape shape) {
  try {
    require_shape(plan, shape);
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

/// Pretended nodes, equally many ranks of every grid row on each: two, or as many as grid columns.
std::vector<int> nodes_of(GridShape shape) {
  std::vector<int> nodes;
  for (int rank = 0; rank < shape.size(); ++rank) {
    const int col = shape.col_of(rank);
    nodes.push_back(shape.cols % 2 == 0 ? 2 * col / shape.cols : col);
  }
  return nodes;
}

void audit_on(const PlanOptions& options, const std::string& plan_name, const SampleGraph& graph,
              const std::vector<GlobalVertex>& roots, const std::string& where) {
  const Communicator& world = test::world();
  const SpanEdgeStream edges = test::share_of(graph, world.rank(), world.size());
  PhaseObserver nobody;
  const auto plan = construct_plan(plan_name, edges, world, options, nobody);
  std::optional<TrafficWalk> walk;  // one rank compares
  if (world.rank() == 0) walk.emplace(graph.num_vertices, graph.edges, rules_of(plan_name, options));
  for (const GlobalVertex root : roots) {
    test::CountedBytes observer(*plan);
    plan->search(root, observer);
    observer.settle();
    const AuditedBytes counted = observer.of_all_ranks(world);
    if (!walk) continue;
    const AuditedBytes expected = test::as_counted(walk->search(root, observer.bottom_up()));
    EXPECT_EQ(test::difference(expected, counted), "") << where << ", root " << raw(root);
  }
}

/// On every grid that the plan can have.
void audit(const std::string& asked_text, const SampleGraph& graph, std::size_t roots,
           const Policy& policy = test::usual) {
  const int ranks = test::world().size();
  const Asked asked(asked_text);
  const Oracle oracle(graph);
  for (const GridShape shape : test::shapes_of(ranks)) {
    if (!has_shape(asked.plan, shape)) continue;
    const PlanOptions options{shape, policy.alpha, policy.beta, switches_for(asked.plan, asked.switches),
                              nodes_of(shape)};
    audit_on(options, asked.plan, graph, oracle.roots(roots),
             fmt::format("{}: {} on {}, {}", asked_text, graph.name, shape.text(), policy.name));
  }
}

/// What is audited on every graph below. A plan is added by a line.
const std::vector<std::string> audited = {
    "replicated-csr",
    "replicated-csc duplicates=drop",
    "simple",
    "simple ids=32 dedup=local exchange=sparse",
    "simple duplicates=drop exchange=one-sided",
    "simple exchange=eager",
    "one-sided",
    "one-sided exchange=emulated duplicates=drop",
    "two-dim",
    "two-dim ids=32 frontier=list exchange=persistent",
    "two-dim duplicates=drop frontier=smaller exchange=two-level",
    "two-dim dedup=local exchange=alltoallv",
    "two-dim ids=32 exchange=eager",
    "hybrid",
    "hybrid frontier=bitmap fold=plain exchange=pairwise",
    "hybrid frontier=list overlap=off exchange=sparse",
    "hybrid frontier=smaller fold=plain leaves=in",
    "hybrid relabel=off leaves=in streams=off exchange=one-sided",
    "hybrid relabel=off leaves=out fold=plain exchange=two-level",
    "hybrid overlap=off streams=off exchange=persistent",
    "hybrid direction=top-down exchange=neighbour",
    "hybrid direction=bottom-up overlap=off",
    "hybrid exchange=alltoallv",
    "hybrid direction=bottom-up relabel=off leaves=in fold=plain",
    "hybrid hubs=off likely-parents=off",
};

/// The walk has its own words for what travels with its length.
TEST(Audit, KnowsWhatIsShortAndWhoAreFew) {
  for (const int ranks : {EagerMessages::most_ranks, EagerMessages::most_ranks + 1}) {
    EXPECT_EQ(reference::are_few(ranks), ranks == EagerMessages::most_ranks);
  }
  for (const std::int64_t bytes : {EagerMessages::most_bytes, EagerMessages::most_bytes + 1}) {
    EXPECT_EQ(reference::goes_with_length(2, bytes), EagerMessages::carry(bytes));
  }
}

TEST(Audit, IsEqualOnKroneckerGraphs) {
  for (const std::string& plan : audited) audit(plan, test::kronecker_graph(9, 8), 3);
}

/// Both directions listed: who has copies of edges to hubs alone asks nobody.
TEST(Audit, IsEqualWhereEveryEdgeIsListedTwice) {
  audit("hybrid", test::with_copies(test::kronecker_graph(8, 4), 2), 2);
}

TEST(Audit, IsEqualOnGraphsOfManyComponents) {
  for (const std::string& plan : audited) audit(plan, test::archipelago(7, 500), 6);
}

TEST(Audit, IsEqualOnOddGraphs) {
  std::size_t turn = 0;
  for (const SampleGraph& graph : test::odd_graphs()) audit(audited[turn++ % audited.size()], graph, 4);
  audit("hybrid", test::hub_in_every_block(), 3);
}

TEST(Audit, IsEqualWhateverTheDirections) {
  for (const Policy& policy : {test::always_top_down, test::always_bottom_up, test::bottom_up_by_arcs}) {
    audit("hybrid", test::kronecker_graph(10, 8), 3, policy);
    audit("hybrid", test::archipelago(7, 900), 12, policy);
    audit("hybrid overlap=off", test::lattice(7, 9), 2, policy);
  }
}

/// Levels of more than 8,192 arcs at a rank, pieces of several lines, rows of bitmap of different lengths.
TEST(Audit, IsEqualWhereLevelsAreLarge) {
  audit("hybrid", test::random_multigraph(4, 10007, 30000, 6), 4);
  audit("hybrid direction=top-down", test::random_multigraph(4, 10007, 30000, 6), 4);
  audit("hybrid hubs=few", test::random_multigraph(4, 10007, 30000, 6), 2);
}

/// Packed lists depend on the numbers of vertices, and these on who is the first heavy neighbour; on several
/// grid columns, of which these are as many as there can be, on who is the first hub.
TEST(Audit, IsEqualInFamilies) {
  const int ranks = test::world().size();
  std::vector<GridShape> shapes = {GridShape{ranks, 1}};
  if (ranks > 1) shapes.push_back({1, ranks});
  std::size_t turn = 0;
  for (const SampleGraph& graph : test::graphs_of_few_hubs()) {
    const Oracle oracle(graph);
    const std::string other = turn++ % 2 == 0 ? "hybrid relabel=classes" : "hybrid streams=off";
    for (const std::string& text :
         {std::string("hybrid"), std::string("hybrid direction=top-down leaves=in"), other}) {
      const Asked asked(text);
      for (const GridShape shape : shapes) {
        const PlanOptions options{shape, 14, 24, switches_for(asked.plan, asked.switches), nodes_of(shape)};
        audit_on(options, asked.plan, graph, oracle.roots(2),
                 fmt::format("{}: {} on {}", text, graph.name, shape.text()));
      }
    }
  }
}

TEST(Audit, NamesTheStepThatDiffers) {
  const AuditedBytes expected = {{{0, Phase::fold}, {8, 16}}, {{1, Phase::reduce}, {8, 8}}};
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
