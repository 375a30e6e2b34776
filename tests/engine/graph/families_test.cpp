// SPDX-License-Identifier: Apache-2.0
// Families: the same graph under other numbers, every rule of the numbering, and emit on top of it.
#include "graph/families.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "graph/dealt_parents.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

Graph construct(const SampleGraph& sample, bool families, int threads) {
  set_num_threads(threads);
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  PhaseObserver nobody;
  return construct_graph(SpanEdgeStream(sample.num_vertices, sample.edges), alone, grid, nobody,
                         {.families = families});
}

/// Neighbours of a searched vertex, all in original numbers.
std::vector<std::uint32_t> neighbours(const Graph& graph, std::uint32_t working) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t col : graph.by_target.of(working)) found.push_back(graph.numbering.original[col]);
  std::ranges::sort(found);
  return found;
}

std::vector<SampleGraph> graphs_with_hubs() {
  return {test::kronecker_graph(14, 16), test::random_multigraph(5, 20000, 60000, 5),
          test::random_multigraph(6, 70000, 90000, 3)};
}

TEST(Families, KeepTheGraphAndChangeItsNumbers) {
  for (const SampleGraph& sample : graphs_with_hubs()) {
    const Graph plain = construct(sample, false, 1);
    for (const int threads : {1, 2, 3}) {
      const Graph graph = construct(sample, true, threads);
      ASSERT_FALSE(graph.families.empty()) << sample.name;
      const Numbering& numbering = graph.numbering;
      ASSERT_EQ(numbering.searched(), plain.numbering.searched());
      for (std::size_t v = 0; v < plain.numbering.code.size(); ++v) {
        const std::uint32_t expected = plain.numbering.code[v];
        const std::uint32_t code = numbering.code[v];
        if (expected >= Numbering::leaf || expected < plain.numbering.num_heavy()) {
          ASSERT_EQ(code, expected) << sample.name << ", vertex " << v;
          if (expected >= Numbering::leaf) continue;
        }
        ASSERT_EQ(numbering.original[code], v);
        ASSERT_EQ(numbering.degree[code], plain.numbering.degree[expected]);
        ASSERT_EQ(neighbours(graph, code), neighbours(plain, expected));
        ASSERT_TRUE(std::ranges::is_sorted(graph.by_target.of(code)));
      }
    }
  }
}

TEST(Families, StandTogetherBehindTheHubsInTheOrderOfTheirHeads) {
  for (const SampleGraph& sample : graphs_with_hubs()) {
    const Graph graph = construct(sample, true, 2);
    const Families& families = graph.families;
    ASSERT_EQ(families.begin.size(), families.head.size() + 1);
    EXPECT_EQ(families.first_row(), graph.numbering.num_heavy());
    EXPECT_TRUE(std::ranges::is_sorted(families.head));
    for (std::size_t k = 0; k < families.head.size(); ++k) {
      const std::uint32_t head = families.head[k];
      const Families::Members members = families.members(head);
      ASSERT_EQ(members.begin, families.begin[k]);
      ASSERT_EQ(members.end, families.begin[k + 1]);
      for (std::uint32_t row = members.begin; row < members.end; ++row) {
        ASSERT_EQ(graph.by_target.of(row)[0], head);
        ASSERT_EQ(graph.by_target.of(head)[members.first + row - members.begin], row);
        ASSERT_TRUE(row == members.begin ||
                    graph.numbering.original[row - 1] < graph.numbering.original[row]);
      }
    }
    std::vector<std::uint32_t> first_hub;  // of the rows behind, which are in order too
    for (std::uint32_t row = families.end_row(); row < graph.numbering.searched(); ++row) {
      first_hub.push_back(std::min(graph.by_target.of(row)[0], graph.numbering.num_heavy()));
      ASSERT_TRUE(families.members(first_hub.back()).size() == 0);
    }
    EXPECT_TRUE(std::ranges::is_sorted(first_hub));
  }
}

TEST(Families, AreNoneWithoutHubs) {
  const Graph graph = construct(test::lattice(30, 40), true, 1);
  EXPECT_TRUE(graph.families.empty());
  EXPECT_FALSE(graph.numbering.by_family);
  EXPECT_EQ(graph.families.members(3).size(), 0U);
  std::vector<Word> visited(graph.layout.col_words(), ~Word{0});
  std::vector<Word> followers(graph.layout.own_words(), 7);
  graph.families.mark_followers(0, followers.size(), visited.data(), followers.data());
  EXPECT_EQ(std::ranges::count(followers, Word{0}), static_cast<std::ptrdiff_t>(followers.size()));
}

TEST(Families, MarkTheFollowersOfVisitedHeads) {
  const Graph graph = construct(test::kronecker_graph(14, 16), true, 1);
  const std::size_t words = graph.layout.own_words();
  for (const unsigned percent : {0U, 30U, 100U}) {
    std::mt19937 draw(percent);
    std::vector<Word> visited(graph.layout.col_words());
    for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
      if (draw() % 100 < percent) set_bit(visited, t);
    }
    for (const auto& [first, count] :
         {std::pair<std::size_t, std::size_t>{0, words}, {0, 1}, {3, 5}, {words / 3, words / 4}}) {
      std::vector<Word> followers(count, 0x55);
      graph.families.mark_followers(first, count, visited.data(), followers.data());
      for (std::size_t bit = 0; bit < count * word_bits; ++bit) {
        const auto row = static_cast<std::uint32_t>(first * word_bits + bit);
        const bool in_family = row >= graph.families.first_row() && row < graph.families.end_row();
        const bool expected = in_family && test_bit(visited, graph.by_target.of(row)[0]);
        ASSERT_EQ(test_bit(followers, bit), expected) << "row " << row;
      }
    }
  }
}

TEST(SetBits, SetsARangeAndNothingElse) {
  for (const std::size_t begin : {0U, 1U, 63U, 64U, 100U}) {
    for (const std::size_t end : {0U, 1U, 63U, 64U, 65U, 128U, 190U, 192U}) {
      std::vector<Word> words(4);
      set_bits(words.data(), begin, end);
      for (std::size_t bit = 0; bit < 256; ++bit) ASSERT_EQ(test_bit(words, bit), bit >= begin && bit < end);
    }
  }
}

/// What a search may leave, made up: every vertex visited, parents of any kind.
TEST(DealtParents, WritesWhatEmitBlocksWrites) {
  for (const SampleGraph& sample : graphs_with_hubs()) {
    for (const int threads : {1, 3}) {
      const Graph graph = construct(sample, true, threads);
      const std::uint32_t searched = graph.numbering.searched();
      const std::size_t words = graph.layout.own_words() + piece_bits / word_bits;
      LargeArray<Word> visited(words);
      LargeArray<Word> in_main(words);
      std::vector<Word> leaves_in_main(words_for(graph.numbering.leaves()) + 1);
      for (std::uint32_t t = 0; t < searched; ++t) set_bit(visited.span(), t);
      for (std::uint32_t leaf = 0; leaf < graph.numbering.leaves(); ++leaf) {
        if (graph.leaves.neighbour_col[leaf] != graph.layout.missing_col()) set_bit(leaves_in_main, leaf);
      }
      const LikelyParents likely = likely_parents(graph, visited.span(), leaves_in_main);
      DealtParents dealt(graph.numbering, threads);
      for (const unsigned percent : {0U, 9U, 100U}) {  // found otherwise
        std::mt19937 draw(percent);
        LargeArray<Word> by_first_neighbour(words);
        LargeArray<std::uint32_t> parent_col(words * word_bits);
        for (std::uint32_t t = 0; t < searched; ++t) {
          if (draw() % 100 >= percent) set_bit(by_first_neighbour.span(), t);
          parent_col[t] = static_cast<std::uint32_t>(draw() % searched);
        }
        const FoundOneColumn found{graph, visited.data(), visited.data(), by_first_neighbour.data(),
                                   parent_col.data()};
        const auto n = static_cast<std::size_t>(graph.numbering.num_originals);
        LargeArray<GlobalVertex> expected(n);
        LargeArray<GlobalVertex> out(n + 8);
        for (std::size_t v = n; v < n + 8; ++v) out[v] = GlobalVertex{-77};
        emit_blocks(found, 0, graph.numbering.num_emit_blocks(), expected.data());
        for (const InstructionSet set : supported_instruction_sets()) {
          dealt.clear();
          for (int t = 0; t < threads; ++t) {  // one after the other, as threads would side by side
            const auto [first, end] =
                static_share(static_cast<std::int64_t>(graph.layout.own_words()), t, threads);
            dealt.deal(found, set, static_cast<std::size_t>(first), static_cast<std::size_t>(end), t);
          }
          for (std::size_t range = 0; range < dealt.num_ranges(); ++range) {
            dealt.write(likely, set, range, out.data(), static_cast<int>(range) % threads);
          }
          EXPECT_TRUE(std::ranges::equal(out.span().first(n), expected.span()))
              << sample.name << ", " << name_of(set) << ", " << percent;
          for (std::size_t v = n; v < n + 8; ++v) ASSERT_EQ(out[v], GlobalVertex{-77}) << "behind the end";
        }
      }
    }
  }
}

}  // namespace
}  // namespace isobath
