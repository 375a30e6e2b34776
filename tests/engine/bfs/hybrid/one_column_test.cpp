// SPDX-License-Identifier: Apache-2.0
// Levels on one grid column: whatever way they are searched, what is found are the neighbours of the
// frontier.
#include "bfs/hybrid/one_column.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

/// One level from `share` of 64 vertices, all of which are visited, nothing else is.
void expect_neighbours_found(const GridGraph& on, const Drawn& drawn, bool bottom_up, InstructionSet set) {
  const GridLayout& layout = on.graph().layout;
  Frontier frontier(on.graph());
  OneColumn levels(on.graph(), {bottom_up_step(set)});
  Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::list);
  frontier.reset();
  levels.reset();
  std::size_t size = 0;
  for (const std::uint32_t v : on.list(drawn)) {
    frontier.mark(v);
    frontier.list_room()[size++] = v;
  }
  frontier.set_list(size);
  const auto columns = expand.frontier(frontier.list());
  std::int64_t arcs = 0;
  for (const std::uint32_t col : columns) arcs += on.graph().by_source().length(col);
  const LevelCounts counts = bottom_up ? levels.bottom_up(expand.visited(frontier.visited()), frontier)
                                       : levels.top_down(columns, frontier);
  if (!bottom_up) {
    EXPECT_EQ(counts.arcs_scanned, arcs);
  }
  frontier.make_list();
  std::vector<std::uint32_t> found(frontier.list().begin(), frontier.list().end());
  std::ranges::sort(found);
  const auto expected = on.list([&](std::int64_t v) { return !drawn(v) && on.has_neighbour(v, drawn); });
  EXPECT_EQ(found, expected) << layout.shape.text() << ", " << arcs << " arcs";
  EXPECT_EQ(counts.found, std::ssize(expected));
  std::vector<GlobalVertex> parents(static_cast<std::size_t>(on.graph().numbering.num_originals), no_vertex);
  emit_listed(levels.found(frontier.visited(), nullptr), found, parents.data());
  for (const std::uint32_t t : found) {
    const std::int64_t parent = layout.first_col_original() + raw(parents[on.graph().numbering.original[t]]);
    EXPECT_TRUE(drawn(parent) && on.are_neighbours(on.original(t), parent)) << layout.shape.text();
  }
}

/// By one thread, in a shared bitmap, and with a bitmap for each; with families of hubs, where any rank may
/// have the head.
TEST(OneColumn, FindsTheNeighboursOfTheFrontier) {
  const int ranks = test::world().size();
  const int threads = max_threads();
  for (const test::SampleGraph& sample :
       {test::random_multigraph(5, 15000, 60000, 5), test::archipelago(3, 1200)}) {
    for (const int team : ranks == 1 ? std::vector<int>{1, 2, 3} : std::vector<int>{1, 2}) {
      set_num_threads(team);
      const GridGraph on(sample, GridShape{ranks, 1});
      for (const std::uint64_t share : {0U, 1U, 3U, 40U}) {
        for (const InstructionSet set : supported_instruction_sets()) {
          expect_neighbours_found(on, {share, share}, true, set);
        }
        expect_neighbours_found(on, {share, share}, false, best_instruction_set());
      }
    }
  }
  set_num_threads(threads);
}

}  // namespace
}  // namespace isobath
