// SPDX-License-Identifier: Apache-2.0
// Where a search starts: at its root, or at the one neighbour of a leaf.
#include "bfs/hybrid/search_start.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_graph.hpp"
#include "bfs/oracle.hpp"

namespace isobath {
namespace {

using test::GridGraph;
using test::Oracle;

/// Original number of a searched vertex that its owner has under a working number.
std::int64_t original_of(const GridGraph& on, const Location& location) {
  const bool is_mine = location.owner == test::world().rank();
  return test::world().sum(is_mine ? on.original(static_cast<std::uint32_t>(location.working)) : 0);
}

std::int64_t degree_of(const GridGraph& on, const Location& location) {
  const bool is_mine = location.owner == test::world().rank();
  const auto own = static_cast<std::size_t>(location.working);
  return test::world().sum(is_mine ? std::int64_t{on.graph().numbering.degree[own]} : std::int64_t{0});
}

TEST(SearchStart, IsTheRootOrTheNeighbourOfALeaf) {
  const test::SampleGraph sample = test::archipelago(9, 700);
  const Oracle oracle(sample);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    GridGraph on(sample, PlanOptions{.shape = shape, .switches = default_switches("hybrid")});
    std::vector<Word> in_main;
    on.built.label_components(on.nobody, [&](const Location& first) -> std::span<const Word> {
      const std::size_t component = oracle.component_of(GlobalVertex{original_of(on, first)});
      in_main = on.words([&](std::int64_t v) { return oracle.component_of(GlobalVertex{v}) == component; });
      return in_main;
    });
    std::map<std::size_t, std::int64_t> labels;
    std::map<std::int64_t, std::size_t> components;
    int leaves = 0;
    int pairs = 0;
    for (const GlobalVertex root : oracle.roots(40)) {
      const SearchStart start = locate_start(on.built, root);
      const std::vector<GlobalVertex>& neighbours =
          oracle.adjacency().neighbours[static_cast<std::size_t>(raw(root))];
      const bool is_leaf = neighbours.size() == 1;
      EXPECT_EQ(start.root, root);
      EXPECT_EQ(start.root_at.kind == Location::Kind::leaf, is_leaf);
      EXPECT_EQ(start.level, is_leaf ? 1 : 0);
      const GlobalVertex expected = is_leaf ? neighbours[0] : root;
      const bool is_searched =
          oracle.adjacency().neighbours[static_cast<std::size_t>(raw(expected))].size() > 1;
      EXPECT_EQ(start.start_vertex.kind,
                is_searched ? Location::Kind::searched : Location::Kind::leaf);  // of a pair of leaves
      if (is_searched) {
        EXPECT_EQ(original_of(on, start.start_vertex), raw(expected));
        EXPECT_EQ(start.start_vertex.degree, degree_of(on, start.start_vertex));
      }
      leaves += is_leaf ? 1 : 0;
      pairs += is_searched ? 0 : 1;
      const std::size_t component = oracle.component_of(root);
      EXPECT_EQ(labels.try_emplace(component, start.label).first->second, start.label);
      EXPECT_EQ(components.try_emplace(start.label, component).first->second, component);
    }
    EXPECT_GT(leaves, 0);
    EXPECT_GT(pairs, 0);
    EXPECT_TRUE(components.contains(Components::main));
  }
}

}  // namespace
}  // namespace isobath
