// SPDX-License-Identifier: Apache-2.0
// The direction of a level on every grid: what the policy says of the whole frontier, whichever form it has
// and however few of its arcs were counted for it.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/direction.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

/// A frontier of these, with nothing visited but them.
void set_frontier(Frontier& frontier, const std::vector<std::uint32_t>& vertices, bool as_list) {
  frontier.reset();
  if (as_list) {
    for (const std::uint32_t v : vertices) frontier.mark(v);
    std::ranges::copy(vertices, frontier.list_room());
    frontier.set_list(vertices.size());
  } else {
    std::ranges::copy(frontier.visited(), frontier.visited_after().begin());
    for (const std::uint32_t v : vertices) set_bit(frontier.visited_after(), v);
    frontier.advance();
  }
}

std::int64_t arcs_of(const Graph& graph, const std::vector<std::uint32_t>& vertices) {
  std::int64_t arcs = 0;
  for (const std::uint32_t v : vertices) arcs += graph.numbering.degree[v];
  return arcs;
}

/// Directions that were chosen, of all frontiers and policies.
std::vector<Direction> compare(const GridGraph& on, GridShape shape) {
  const Communicator& world = test::world();
  const GraphFacts& facts = on.built.facts;
  std::vector<Direction> chosen;
  for (const auto& [alpha, beta] : {std::pair(14.0, 24.0), {3.0, 1e-12}, {1e-12, 5.0}, {1e-12, 1e-12}}) {
    PlanOptions options = GridGraph::options_on(shape);
    options.alpha = alpha;
    options.beta = beta;
    LevelDirection direction(on.built, options);
    const DirectionPolicy policy{alpha, beta, facts.searched_vertices, facts.searched_endpoints};
    Frontier frontier(on.graph());
    for (const std::uint64_t share : {0U, 1U, 4U, 60U}) {
      const std::vector<std::uint32_t> vertices = on.list(Drawn{share, share});
      const std::int64_t all = world.sum(std::ssize(vertices));
      const std::int64_t arcs = world.sum(arcs_of(on.graph(), vertices));
      const std::int64_t unvisited = facts.searched_vertices - all;
      const Direction expected = policy.is_wide(all, unvisited) ? Direction::bottom_up : policy.by_arcs(arcs);
      for (const bool as_list : {true, false}) {
        SCOPED_TRACE(shape.text() + ", share " + std::to_string(share));
        set_frontier(frontier, vertices, as_list);
        const std::optional<std::int64_t> own_hubs =
            shape.cols > 1 ? std::optional<std::int64_t>(world.rank() + 1) : std::nullopt;
        const FrontierSums sums =
            direction.sums_of_found(frontier, std::ssize(vertices), facts.searched_vertices, own_hubs);
        EXPECT_EQ(sums.vertices, all);
        EXPECT_EQ(sums.visited_hubs.has_value(), own_hubs.has_value());
        EXPECT_EQ(sums.visited_hubs.value_or(0), own_hubs ? world.size() * (world.size() + 1) / 2 : 0);
        EXPECT_EQ(direction.choose(sums, unvisited, frontier), expected);
        chosen.push_back(expected);
      }
    }
  }
  return chosen;
}

TEST(LevelDirection, IsThatOfThePolicyForTheWholeFrontier) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(10, 8), shape);
    const std::vector<Direction> chosen = compare(on, shape);
    EXPECT_GT(std::ranges::count(chosen, Direction::top_down), 0);
    EXPECT_GT(std::ranges::count(chosen, Direction::bottom_up), 0);
  }
}

/// One vertex, which its owner alone has; all ranks were told how many arcs it has.
TEST(LevelDirection, OfTheFirstLevelIsThatOfItsVertex) {
  const Communicator& world = test::world();
  for (const GridShape shape : test::shapes_of(world.size())) {
    const GridGraph on(test::kronecker_graph(8, 8), shape);
    const GraphFacts& facts = on.built.facts;
    for (const double alpha : {14.0, 1e12}) {
      PlanOptions options = GridGraph::options_on(shape);
      options.alpha = alpha;
      LevelDirection direction(on.built, options);
      const DirectionPolicy policy{alpha, options.beta, facts.searched_vertices, facts.searched_endpoints};
      Frontier frontier(on.graph());
      for (int owner = 0; owner < world.size(); ++owner) {
        const std::uint32_t last = on.graph().layout.own_searched() - 1;
        const bool is_mine = owner == world.rank();
        set_frontier(frontier, is_mine ? std::vector<std::uint32_t>{last} : std::vector<std::uint32_t>{},
                     true);
        const std::int64_t arcs =
            world.sum(is_mine ? std::int64_t{on.graph().numbering.degree[last]} : std::int64_t{0});
        const FrontierSums sums{1, arcs, std::nullopt};
        EXPECT_EQ(
            direction.choose(sums, facts.searched_vertices - 1, frontier),
            policy.is_wide(1, facts.searched_vertices - 1) ? Direction::bottom_up : policy.by_arcs(arcs))
            << shape.text();
      }
    }
  }
}

TEST(LevelDirection, FollowsTheSwitch) {
  const GridShape shape{1, test::world().size()};
  const GridGraph on(test::kronecker_graph(6, 8), shape);
  Frontier frontier(on.graph());
  for (const auto& [rule, expected] : {std::pair(DirectionRule::top_down, Direction::top_down),
                                       {DirectionRule::bottom_up, Direction::bottom_up}}) {
    PlanOptions options = GridGraph::options_on(shape);
    options.switches.direction = rule;
    LevelDirection direction(on.built, options);
    set_frontier(frontier, on.list(Drawn{1, 32}), true);
    EXPECT_EQ(direction.choose({1, 0, std::nullopt}, 1, frontier), expected);
  }
}

}  // namespace
}  // namespace isobath
