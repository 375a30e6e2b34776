// SPDX-License-Identifier: Apache-2.0
// Levels on several grid columns: whatever way they are searched, what is found are the neighbours of the
// frontier, and parents are of it.
#include "bfs/hybrid/several_columns.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

/// The parent that emit reads of an own vertex.
std::int64_t parent_of(const FoundSeveralColumns& tree, std::uint32_t own) {
  const Hubs& hubs = tree.graph.hubs;
  const bool by_first =
      tree.by_first_hub != nullptr && (tree.by_first_hub[own / word_bits] >> (own % word_bits) & 1U) != 0;
  return by_first ? hubs.original[hubs.kept[0][own]] : tree.parent[own];
}

/// One level from drawn vertices, all of which are visited, nothing else is.
struct SingleLevel {
  SingleLevel(const GridGraph& on, const PlanOptions& options, const Drawn& drawn)
      : graph(on),
        chosen(drawn),
        levels(on.built, options, steps()),
        expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed),
        frontier(on.graph()) {}

  static BottomUpSteps steps() {
    const InstructionSet set = best_instruction_set();
    return {bottom_up_step(set), bottom_up_few_step(set)};
  }
  void begin() {
    frontier.reset();
    levels.reset();
    std::size_t size = 0;
    for (const std::uint32_t v : graph.list(chosen)) {
      frontier.mark(v);
      frontier.list_room()[size++] = v;
    }
    frontier.set_list(size);
  }
  void expect_neighbours_found(const LevelCounts& counts) {
    frontier.make_list();
    std::vector<std::uint32_t> listed(frontier.list().begin(), frontier.list().end());
    std::ranges::sort(listed);
    const auto expected =
        graph.list([&](std::int64_t v) { return !chosen(v) && graph.has_neighbour(v, chosen); });
    EXPECT_EQ(listed, expected);
    EXPECT_EQ(counts.found, std::ssize(expected));
    const FoundSeveralColumns tree = levels.found(frontier.visited(), nullptr, false);
    for (const std::uint32_t t : listed) {
      const std::int64_t parent = parent_of(tree, t);
      EXPECT_TRUE(chosen(parent) && graph.are_neighbours(graph.original(t), parent));
    }
  }
  void expect_top_down() {
    begin();
    PhaseObserver nobody;
    const auto columns = expand.frontier(frontier.list());
    std::int64_t arcs = 0;
    for (const std::uint32_t col : columns) arcs += graph.length_by_source(col);
    const auto own_hubs = levels.own_visited_hubs(frontier.visited());
    const auto sum = own_hubs ? std::optional(test::world().sum(*own_hubs)) : std::nullopt;
    const LevelCounts counts = levels.top_down(columns, nullptr, sum, frontier, nobody);
    // Arcs from a hub to its families are passed over; what is found by them is one look each.
    EXPECT_EQ(
        test::world().sum(counts.arcs_scanned),
        test::world().sum(arcs - graph.followers_of(chosen, [&](std::int64_t v) { return chosen(v); })));
    expect_neighbours_found(counts);
  }
  void expect_bottom_up(bool is_sum_known) {
    begin();
    PhaseObserver nobody;
    const auto own_hubs = levels.own_visited_hubs(frontier.visited());
    EXPECT_EQ(own_hubs.has_value(), !graph.graph().hubs.empty());
    std::optional<std::int64_t> sum;
    if (own_hubs) {
      sum = test::world().sum(*own_hubs);
      EXPECT_EQ(sum, std::ranges::count_if(graph.graph().hubs.original,
                                           [&](std::int64_t hub) { return hub >= 0 && chosen(hub); }));
    }
    expect_neighbours_found(levels.bottom_up(expand.visited(frontier.visited()),
                                             is_sum_known ? sum : std::nullopt, frontier, nobody));
  }

  const GridGraph& graph;
  Drawn chosen;
  SeveralColumns levels;
  Expand expand;
  Frontier frontier;
};

void expect_neighbours_of_all_frontiers(const GridGraph& on, const PlanOptions& options) {
  ASSERT_EQ(on.graph().hubs.empty(), !options.switches.hub_pass);
  EXPECT_EQ(on.graph().has_hypersparse_rows, options.hypersparse == Hypersparse::always);
  EXPECT_EQ(on.graph().has_hypersparse_cols, options.hypersparse == Hypersparse::always);
  std::vector<std::uint64_t> shares = {1, 62};  // many and few are left to ask
  if (options.hypersparse == Hypersparse::never) shares.insert(shares.end(), {0, 20});
  for (const std::uint64_t share : shares) {
    SCOPED_TRACE("share " + std::to_string(share));
    SingleLevel level(on, options, {share, share});
    level.expect_top_down();
    level.expect_bottom_up(false);
    level.expect_bottom_up(true);  // nothing is left of the levels before
    level.expect_top_down();
  }
}

TEST(SeveralColumns, FindsTheNeighboursOfTheFrontier) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;
    for (const Hypersparse hypersparse : {Hypersparse::never, Hypersparse::always}) {
      for (const bool hubs : {true, false}) {
        PlanOptions options = GridGraph::options_on(shape, hypersparse);
        options.switches.hub_pass = hubs;
        for (const test::SampleGraph& sample : {test::kronecker_graph(10, 16), test::hub_in_every_block()}) {
          SCOPED_TRACE(sample.name + " on " + shape.text());
          expect_neighbours_of_all_frontiers(GridGraph(sample, options), options);
        }
      }
    }
    SCOPED_TRACE("families on " + shape.text());
    const PlanOptions options = GridGraph::options_on(shape);
    const GridGraph on(test::random_multigraph(5, 6000, 50000, 5), options);
    EXPECT_GT(on.graph().hubs.families.size(), 0U);
    expect_neighbours_of_all_frontiers(on, options);
  }
}

}  // namespace
}  // namespace isobath
