// SPDX-License-Identifier: Apache-2.0
#include "bfs/top_down.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath {
namespace {

struct Level {
  Graph graph;
  std::vector<std::uint32_t> frontier;
  std::vector<std::uint64_t> arcs_before = {0};
  std::vector<Word> visited;         // before the level
  std::set<std::uint32_t> expected;  // targets found
};

/// A level in the middle of nowhere: some vertices visited, some of them the frontier.
Level some_level(std::uint64_t seed) {
  const test::SampleGraph sample = test::random_multigraph(seed, 1500, 9000, 5);
  set_num_threads(1);
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  PhaseObserver nobody;
  Level level{construct_graph(SpanEdgeStream(sample.num_vertices, sample.edges), alone, grid, nobody),
              {},
              {0},
              {},
              {}};
  std::mt19937_64 draw(seed);
  level.visited.resize(level.graph.layout.own_words());
  for (std::uint32_t t = 0; t < level.graph.layout.own_searched(); ++t) {
    const std::uint64_t kind = draw() % 8;
    if (kind > 2) continue;
    set_bit(level.visited, t);
    if (kind == 0) level.frontier.push_back(t);
  }
  for (const std::uint32_t source : level.frontier) {
    level.arcs_before.push_back(level.arcs_before.back() + level.graph.by_target.length(source));
    for (const std::uint32_t target : level.graph.by_target.of(source)) {
      if (!test_bit(level.visited, target)) level.expected.insert(target);
    }
  }
  return level;
}

void expect_found(const Level& level, const std::vector<Word>& visited,
                  const std::vector<std::uint32_t>& parent_col) {
  for (std::uint32_t t = 0; t < level.graph.layout.own_searched(); ++t) {
    const bool is_found = level.expected.contains(t);
    ASSERT_EQ(test_bit(visited, t), is_found || test_bit(level.visited, t)) << t;
    if (!is_found) {
      ASSERT_EQ(parent_col[t], 0xFFFFFFFFU) << t;
      continue;
    }
    ASSERT_NE(std::ranges::find(level.frontier, parent_col[t]), level.frontier.end());
    const auto neighbours = level.graph.by_target.of(t);
    ASSERT_NE(std::ranges::find(neighbours, parent_col[t]), neighbours.end());
  }
}

TEST(TopDown, FindsTheSameTargetsHoweverTheArcsAreShared) {
  const Level level = some_level(1);
  const std::uint64_t arcs = level.arcs_before.back();
  ASSERT_GT(arcs, 1000U);
  for (const std::uint64_t parts : {1U, 2U, 3U, 7U, 64U, 5000U}) {
    std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
    std::vector<Word> merged = level.visited;
    for (std::uint64_t part = 0; part < parts; ++part) {
      std::vector<Word> mine = level.visited;  // every thread has its own
      propose_parents(level.graph.by_target,
                      {level.frontier, level.arcs_before, arcs * part / parts, arcs * (part + 1) / parts},
                      mine.data(), parent_col.data());
      for (std::size_t w = 0; w < merged.size(); ++w) merged[w] |= mine[w];
    }
    ASSERT_NO_FATAL_FAILURE(expect_found(level, merged, parent_col)) << parts << " parts";
  }
}

TEST(TopDown, ListsWhatASmallLevelFinds) {
  const Level level = some_level(2);
  std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
  std::vector<Word> visited = level.visited;
  std::vector<std::uint32_t> next(level.graph.layout.own_searched());
  next.resize(
      top_down_small(level.graph.by_target, level.frontier, visited.data(), parent_col.data(), next.data()));
  ASSERT_NO_FATAL_FAILURE(expect_found(level, visited, parent_col));
  std::ranges::sort(next);
  EXPECT_TRUE(std::ranges::equal(next, level.expected));
}

TEST(TopDown, FindsNothingFromNothing) {
  const Level level = some_level(3);
  std::vector<Word> visited = level.visited;
  std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
  const std::vector<std::uint64_t> none = {0};
  propose_parents(level.graph.by_target, {{}, none, 0, 0}, visited.data(), parent_col.data());
  EXPECT_EQ(top_down_small(level.graph.by_target, {}, visited.data(), parent_col.data(), nullptr), 0U);
  EXPECT_EQ(visited, level.visited);
}

}  // namespace
}  // namespace isobath
