// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/top_down.hpp"

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

struct FoundLevel {
  Graph graph;
  std::vector<std::uint32_t> frontier;
  std::vector<std::uint64_t> arcs_before = {0};
  std::vector<Word> visited;         // before the level
  std::set<std::uint32_t> expected;  // targets found
};

/// A level in the middle of nowhere: some vertices visited, some of them the frontier.
FoundLevel some_level(const test::SampleGraph& sample, bool families, std::uint64_t seed) {
  set_num_threads(1);
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  PhaseObserver nobody;
  FoundLevel level{construct_graph(SpanEdgeStream(sample.num_vertices, sample.edges), alone, grid, nobody,
                                   {.families = families}),
                   {},
                   {0},
                   {},
                   {}};
  std::mt19937_64 draw(seed);
  level.visited.resize(level.graph.layout.own_words());
  for (std::uint32_t t = 0; t < level.graph.layout.own_searched(); ++t) {
    const std::uint64_t kind =
        t < level.graph.numbering.num_heavy() ? t % 3 : draw() % 8;  // hub 0 is on the frontier
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

void expect_found(const FoundLevel& level, const std::vector<Word>& visited,
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

FoundLevel some_level(std::uint64_t seed) {
  return some_level(test::random_multigraph(seed, 1500, 9000, 5), false, seed);
}

TEST(TopDown, FindsTheSameTargetsHoweverTheArcsAreShared) {
  const FoundLevel level = some_level(1);
  const std::uint64_t arcs = level.arcs_before.back();
  ASSERT_GT(arcs, 1000U);
  for (const std::uint64_t parts : {1U, 2U, 3U, 7U, 64U, 5000U}) {
    std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
    std::vector<Word> merged = level.visited;
    for (std::uint64_t part = 0; part < parts; ++part) {
      std::vector<Word> mine = level.visited;  // every thread has its own
      propose_parents(level.graph.by_target, level.graph.families,
                      {level.frontier, level.arcs_before, arcs * part / parts, arcs * (part + 1) / parts},
                      mine.data(), parent_col.data());
      for (std::size_t w = 0; w < merged.size(); ++w) merged[w] |= mine[w];
    }
    ASSERT_NO_FATAL_FAILURE(expect_found(level, merged, parent_col)) << parts << " parts";
  }
}

/// Threads that share a bitmap: every target is listed once, by whoever came first.
TEST(TopDown, ClaimsEveryTargetOnce) {
  const FoundLevel level = some_level(4);
  const std::uint64_t arcs = level.arcs_before.back();
  for (const int threads : {1, 2, 3, 7}) {
    set_num_threads(threads);
    std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
    std::vector<Word> visited = level.visited;
    std::vector<std::uint32_t> all;
#pragma omp parallel
    {
      const auto me = static_cast<std::uint64_t>(thread_id());
      const auto team = static_cast<std::uint64_t>(num_threads());
      std::vector<std::uint32_t> found(arcs);
      found.resize(
          claim_targets(level.graph.by_target,
                        {level.frontier, level.arcs_before, arcs * me / team, arcs * (me + 1) / team},
                        visited, parent_col.data(), found.data()));
#pragma omp critical
      all.insert(all.end(), found.begin(), found.end());
    }
    ASSERT_NO_FATAL_FAILURE(expect_found(level, visited, parent_col)) << threads;
    std::ranges::sort(all);
    EXPECT_TRUE(std::ranges::equal(all, level.expected)) << threads;
  }
  set_num_threads(1);
}

/// As on a graph without them, once the followers are marked; these have their head as parent and no other.
TEST(TopDown, PassesOverFamilies) {
  const FoundLevel level = some_level(test::random_multigraph(7, 15000, 60000, 5), true, 7);
  const Graph& graph = level.graph;
  ASSERT_FALSE(graph.families.empty());
  const std::size_t words = graph.layout.own_words();
  std::vector<Word> heads(graph.layout.col_words());
  for (const std::uint32_t source : level.frontier) set_bit(heads, source);
  std::vector<Word> followers(words);
  graph.families.mark_followers(0, words, heads.data(), followers.data());
  const std::uint64_t arcs = level.arcs_before.back();
  for (const std::uint64_t parts : {1U, 3U, 64U}) {
    std::vector<std::uint32_t> parent_col(words * word_bits, 0xFFFFFFFF);
    std::vector<Word> merged = level.visited;
    for (std::uint64_t part = 0; part < parts; ++part) {
      std::vector<Word> mine = level.visited;
      for (std::size_t w = 0; w < words; ++w) mine[w] |= followers[w];
      propose_parents(graph.by_target, graph.families,
                      {level.frontier, level.arcs_before, arcs * part / parts, arcs * (part + 1) / parts},
                      mine.data(), parent_col.data());
      for (std::size_t w = 0; w < words; ++w) merged[w] |= mine[w];
    }
    std::size_t found_by_head = 0;
    for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
      if (!test_bit(followers, t) || test_bit(level.visited, t)) continue;
      ASSERT_EQ(parent_col[t], 0xFFFFFFFFU);
      parent_col[t] = graph.by_target.of(t)[0];
      ++found_by_head;
    }
    EXPECT_GT(found_by_head, 100U);
    ASSERT_NO_FATAL_FAILURE(expect_found(level, merged, parent_col)) << parts << " parts";
  }
}

TEST(TopDown, ListsWhatASmallLevelFinds) {
  const FoundLevel level = some_level(2);
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
  const FoundLevel level = some_level(3);
  std::vector<Word> visited = level.visited;
  std::vector<std::uint32_t> parent_col(level.graph.layout.own_words() * word_bits, 0xFFFFFFFF);
  const std::vector<std::uint64_t> none = {0};
  propose_parents(level.graph.by_target, {}, {{}, none, 0, 0}, visited.data(), parent_col.data());
  EXPECT_EQ(top_down_small(level.graph.by_target, {}, visited.data(), parent_col.data(), nullptr), 0U);
  EXPECT_EQ(visited, level.visited);
}

}  // namespace
}  // namespace isobath
