// SPDX-License-Identifier: Apache-2.0
// Parents of own vertices: what the hub pass and what the ring's adoption write is what emit is given.
#include "bfs/hybrid/parents.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/grid_graph.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"
#include "bfs/hybrid/told_hubs.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

bool has(const Word* words, std::uint32_t bit) {
  return (words[bit / word_bits] >> (bit % word_bits) & 1U) != 0;
}

/// The parent that emit reads of an own vertex.
std::int64_t read(const FoundSeveralColumns& found, std::uint32_t own) {
  const Hubs& hubs = found.graph.hubs;
  return has(found.by_first_hub, own) ? hubs.original[hubs.kept[0][own]] : found.parent[own];
}

/// Of a vertex that keeps a visited hub, the first of them.
std::int64_t first_visited_hub(const GridGraph& on, std::uint32_t own, const Drawn& visited) {
  const Hubs& hubs = on.graph().hubs;
  for (const auto& kept : hubs.kept) {
    if (kept[own] != hubs.missing() && visited(hubs.original[kept[own]])) return hubs.original[kept[own]];
  }
  return raw(no_vertex);
}

TEST(Parents, AreTheFirstVisitedHubsThatOwnersKeep) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;  // there are no hubs
    const GridGraph on(test::kronecker_graph(10, 16), shape);
    ASSERT_FALSE(on.graph().hubs.empty());
    Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
    Parents parents(on.graph());
    ToldHubs told(on.graph().hubs, on.graph().layout, on.built.grid.row_comm);
    for (const std::uint64_t share : {1U, 20U, 63U}) {  // nothing is left of the search before
      const Drawn visited{share, share};
      parents.reset();
      told.reset();
      const std::vector<Word> before = on.words(visited);
      std::vector<Word> after(before.size(), 0x5555);
      const bool is_any_visited = std::ranges::any_of(
          on.graph().hubs.original, [&](std::int64_t hub) { return hub >= 0 && visited(hub); });
      EXPECT_EQ(told.tell(expand.visited(before), std::nullopt), is_any_visited);
      const LevelCounts counts =
          find_by_hubs_by_team(hub_pass_step(best_instruction_set()),
                               {on.graph().hubs, told.visited(), 0, on.graph().layout.own_words(),
                                before.data(), after.data(), parents.by_first_hub().data(), parents});
      const FoundSeveralColumns found = parents.found(on.graph(), after, nullptr, false);
      std::int64_t expected = 0;
      for (std::uint32_t t = 0; t < on.graph().layout.own_searched(); ++t) {
        const bool is_visited = visited(on.original(t));
        const bool is_found = !is_visited && on.keeps(t, visited);
        EXPECT_EQ(test_bit(after, t), is_visited || is_found) << shape.text();
        EXPECT_LE(has(found.by_first_hub, t), is_found) << shape.text();
        if (!is_found) continue;
        ++expected;
        EXPECT_EQ(read(found, t), first_visited_hub(on, t, visited)) << shape.text();
      }
      EXPECT_EQ(counts.found, expected) << shape.text();
    }
  }
}

/// By several threads at once, in lists and by vertex; nothing is left of the search before.
TEST(Parents, AreWhatEveryThreadWrote) {
  constexpr std::uint32_t vertices = 5000;
  Hubs hubs;
  hubs.count = 3;
  hubs.original = LargeArray<std::int64_t>(3);
  for (std::uint32_t h = 0; h < 3; ++h) hubs.original[h] = 100 + h;
  for (const bool in_lists : {true, false}) {
    Parents parents(hubs, vertices, in_lists);
    for (const std::uint32_t turn : {1U, 2U}) {
      parents.reset();
#pragma omp parallel
      {
        const Parents::Writer mine = parents.writer();
#pragma omp for schedule(dynamic, 7)
        for (std::uint32_t v = 0; v < vertices; v += turn) {
          if (v % 3 == 0) {
            mine.write_hub(v, v % 2);
          } else {
            mine.write(v, v + turn);
          }
        }
      }
      const std::span<const std::int64_t> written = parents.by_vertex();
      for (std::uint32_t v = 0; v < vertices; v += turn) {
        EXPECT_EQ(written[v], v % 3 == 0 ? 100 + v % 2 : v + turn);
      }
    }
  }
}

TEST(Parents, AreWhatIsAdopted) {
  const GridGraph on(test::kronecker_graph(8, 8), GridShape{1, test::world().size()});
  Parents parents(on.graph());
  Fold fold(on.graph(), on.built.grid.row_comm, default_switches("hybrid"), {}, parents);
  const GridLayout& layout = on.graph().layout;
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    fold.adopter()(t, static_cast<std::uint32_t>((t + 1) % layout.col_span()));
  }
  const FoundSeveralColumns found = parents.found(on.graph(), {}, nullptr, false);
  EXPECT_EQ(found.by_first_hub == nullptr, on.graph().hubs.empty());
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    EXPECT_EQ(found.parent[t], layout.first_col_original() + (t + 1) % layout.col_span());
  }
}

}  // namespace
}  // namespace isobath
