// SPDX-License-Identifier: Apache-2.0
// The ring: every vertex that its owner has not found, and that has a visited neighbour, is found once, by
// whoever stores the arc.
#include "bfs/hybrid/ring.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

constexpr std::int64_t no_parent_yet = -77;

void expect_found(const GridGraph& on, bool overlap, BottomUpSteps steps, const Drawn& visited) {
  const GridLayout& layout = on.graph().layout;
  Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
  Parents parents(on.graph());
  Fold fold(on.graph(), on.built.grid.row_comm, default_switches("hybrid"), {}, parents);
  RowNotes notes(on.graph());
  Ring ring(on.graph(), on.built.grid.row_comm, overlap, steps, notes, fold);
  std::ranges::fill(parents.by_vertex(), no_parent_yet);
  const std::vector<Word> before = on.words(visited);
  std::vector<Word> after = before;
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    if (on.keeps(t, visited)) set_bit(after, t);
  }
  std::map<std::uint32_t, int> offered;
  PhaseObserver nobody;
  ring.rotate(expand.visited(before), after, nobody);
  fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    const std::int64_t v = on.original(t);
    const bool is_found = !visited(v) && !on.keeps(t, visited) && on.has_neighbour(v, visited);
    EXPECT_EQ(test_bit(after, t), visited(v) || on.keeps(t, visited) || is_found)
        << layout.shape.text() << " vertex " << v;
    EXPECT_LE(offered[t], is_found ? 1 : 0) << layout.shape.text() << " vertex " << v;
    const std::int64_t parent = parents.by_vertex()[t];
    EXPECT_EQ(parent != no_parent_yet, is_found) << layout.shape.text() << " vertex " << v;
    if (is_found) {
      EXPECT_TRUE(visited(parent) && on.are_neighbours(v, parent)) << layout.shape.text();
    }
    EXPECT_LE(visited(v), test_bit(fold.proposed(), layout.own_row() + t)) << "top-down leaves it out";
  }
}

TEST(Ring, FindsEveryNeighbourOfWhatIsVisitedOnce) {
  const InstructionSet set = best_instruction_set();
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;  // nobody rotates
    for (const test::SampleGraph& sample : {test::kronecker_graph(10, 8), test::archipelago(7, 900)}) {
      const GridGraph on(sample, shape);
      for (const std::uint64_t share : {0U, 1U, 20U, 64U}) {
        for (const bool overlap : {true, false}) {
          expect_found(on, overlap, {bottom_up_step(set), bottom_up_few_step(set)}, {share + 1, share});
          expect_found(on, overlap, {bottom_up_rows}, {share + 2, share});
        }
      }
      const GridGraph existing(sample, shape, Hypersparse::always);
      EXPECT_FALSE(existing.graph().has_planes());
      for (const std::uint64_t share : {0U, 20U, 64U}) {
        for (const bool overlap : {true, false}) expect_found(existing, overlap, {}, {share + 3, share});
      }
    }
  }
}

}  // namespace
}  // namespace isobath
