// SPDX-License-Identifier: Apache-2.0
// Bottom-up steps of all instruction sets against the obvious loop: the same rows found, through the same
// neighbour.
#include "bfs/hybrid/steps/bottom_up.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "graph/sample_graphs.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

constexpr std::uint32_t not_written = 0xABCDABCD;

struct Outcome {
  std::vector<Word> next;
  std::vector<Word> by_first_neighbour;
  std::vector<std::uint32_t> parent_col;
  std::int64_t found = 0;
  std::int64_t arcs_scanned = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// What stood before: bits of earlier levels in by_first_neighbour stay, parents of earlier levels too.
Outcome before(std::size_t words) {
  return {std::vector<Word>(words, 0x5555), std::vector<Word>(words, 0),
          std::vector<std::uint32_t>(words * word_bits, not_written)};
}

Graph construct(const SampleGraph& sample, bool families = false) {
  set_num_threads(1);  // small graphs: a team would only wait
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  PhaseObserver nobody;
  return construct_graph(SpanEdgeStream(sample.num_vertices, sample.edges), alone, grid, nobody,
                         {.families = families});
}

/// Every unvisited row takes its first visited neighbour, in the order of the row. A row asks its planes one
/// after the other, present or not, before it asks its other neighbours.
Outcome obvious(const Graph& graph, std::span<const Word> visited_cols, std::span<const Word> visited,
                std::size_t first_word, std::size_t words) {
  Outcome outcome = before(words);
  for (std::size_t w = 0; w < words; ++w) {
    outcome.next[w] = visited[first_word + w];
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
      const std::size_t local = w * word_bits + bit;
      const auto row = static_cast<std::uint32_t>(first_word * word_bits + local);
      const auto cols = graph.by_target.of(row);
      if (test_bit(visited, row) || cols.empty()) continue;
      const auto at =
          std::ranges::find_if(cols, [&](std::uint32_t col) { return test_bit(visited_cols, col); });
      const auto position = static_cast<std::size_t>(at - cols.begin());
      outcome.arcs_scanned +=
          static_cast<std::int64_t>(at == cols.end() ? std::max(num_planes, cols.size()) : position + 1);
      if (at == cols.end()) continue;
      set_bit(outcome.next, local);
      ++outcome.found;
      if (position == 0) {
        set_bit(outcome.by_first_neighbour, local);
      } else {
        outcome.parent_col[local] = *at;
      }
    }
  }
  return outcome;
}

Outcome stepped(BottomUpStep step, const Graph& graph, std::span<const Word> visited_cols,
                std::span<const Word> visited, std::size_t first_word, std::size_t words) {
  Outcome outcome = before(words);
  for (std::size_t w = 0; w < words; w += words_at_once) {
    const LevelCounts counts =
        step({graph, visited_cols.data(), first_word + w, std::min(words_at_once, words - w),
              visited.data() + first_word + w, outcome.next.data() + w, outcome.by_first_neighbour.data() + w,
              outcome.parent_col.data() + w * word_bits});
    outcome.found += counts.found;
    outcome.arcs_scanned += counts.arcs_scanned;
  }
  return outcome;
}

/// Parents are kept through the first-found bit where it is set: what stands in parent_col there means
/// nothing.
void forget_parents_of_first_found(Outcome& outcome) {
  for (std::size_t row = 0; row < outcome.parent_col.size(); ++row) {
    if (test_bit(outcome.by_first_neighbour, row)) outcome.parent_col[row] = not_written;
  }
}

/// The same without planes: no first-found bits, parents of all.
Outcome without_planes(Outcome outcome, const Graph& graph, std::size_t first_word) {
  for (std::size_t local = 0; local < outcome.parent_col.size(); ++local) {
    if (!test_bit(outcome.by_first_neighbour, local)) continue;
    outcome.parent_col[local] =
        graph.by_target.of(static_cast<std::uint32_t>(first_word * word_bits + local))[0];
  }
  std::ranges::fill(outcome.by_first_neighbour, 0);
  return outcome;
}

/// Rows of a range that are not visited ask by name: the same ones are found, through the same neighbour.
void expect_the_same_by_name(InstructionSet set, const Graph& graph, std::span<const Word> visited_cols,
                             std::span<const Word> visited, const Outcome& expected, std::size_t first_word) {
  std::vector<std::uint32_t> rows;
  for (std::size_t local = 0; local < expected.parent_col.size(); ++local) {
    const auto row = static_cast<std::uint32_t>(first_word * word_bits + local);
    if (row < graph.layout.num_rows() && !test_bit(visited, row)) rows.push_back(row);
  }
  std::vector<std::uint32_t> parents(rows.size(), not_written);
  const LevelCounts counts = asked_rows_step(set)({graph, visited_cols.data(), rows, parents.data()});
  EXPECT_EQ(counts.found, expected.found);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t local = rows[i] - first_word * word_bits;
    EXPECT_EQ(parents[i],
              test_bit(expected.next, local) ? expected.parent_col[local] : graph.layout.missing_col());
  }
}

TEST(BottomUp, FindsWhatTheObviousLoopFindsThroughTheSameNeighbour) {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  std::erase_if(graphs, [](const SampleGraph& graph) { return graph.edges.empty(); });
  graphs.push_back(test::kronecker_graph(11, 16));
  graphs.push_back(test::random_multigraph(1, 3001, 40000, 0));
  graphs.push_back(test::random_multigraph(2, 9000, 30000, 6));
  graphs.push_back(test::random_multigraph(5, 15000, 60000, 5));
  std::size_t with_families = 0;
  for (const SampleGraph& sample : graphs) {
    const Graph graph = construct(sample, true);
    if (!graph.families.empty()) ++with_families;
    const std::size_t words = graph.layout.own_words();
    for (const unsigned per_mille : {0U, 3U, 50U, 400U, 950U, 1000U}) {
      std::mt19937_64 draw(per_mille);
      std::vector<Word> visited(graph.layout.col_words());  // on one rank rows and columns are the same
      for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
        if (draw() % 1000 < per_mille) set_bit(visited, t);
      }
      for (const auto& [first, end] : std::vector<std::pair<std::size_t, std::size_t>>{
               {0, words}, {words / 3, words}, {words / 4, words / 2}}) {
        const Outcome expected = obvious(graph, visited, visited, first, end - first);
        for (const InstructionSet set : supported_instruction_sets()) {
          Outcome outcome = stepped(bottom_up_step(set), graph, visited, visited, first, end - first);
          forget_parents_of_first_found(outcome);
          EXPECT_EQ(outcome, expected) << fmt::format("{}, {}, {} of 1000 visited, words {} to {}",
                                                      sample.name, name_of(set), per_mille, first, end);
          Outcome few = stepped(bottom_up_few_step(set), graph, visited, visited, first, end - first);
          few.arcs_scanned = expected.arcs_scanned;  // rows are not padded to planes here
          expect_the_same_by_name(set, graph, visited, visited, without_planes(expected, graph, first),
                                  first);
          EXPECT_EQ(few, without_planes(expected, graph, first))
              << fmt::format("{}, {}, {} of 1000 visited, few", sample.name, name_of(set), per_mille);
        }
      }
    }
  }
  EXPECT_GE(with_families, 3U);
}

/// Lists of all lengths about those at which memory is asked ahead, of rows that are empty, short, and longer
/// than several lines of the cache, and begin anywhere in one.
TEST(BottomUp, AsksByNameListsOfAnyLength) {
  const Graph graph = construct(test::kronecker_graph(10, 16));
  std::size_t longest = 0;
  for (const std::uint32_t per_mille : {0U, 30U, 500U}) {
    std::mt19937_64 draw(per_mille);
    std::vector<Word> visited(graph.layout.col_words());
    for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
      if (draw() % 1000 < per_mille) set_bit(visited, t);
    }
    for (const std::size_t length : {0U, 1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 47U, 48U, 49U, 64U, 200U}) {
      std::vector<std::uint32_t> rows(length);
      for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(draw() % graph.layout.num_rows());
      std::vector<std::uint32_t> expected;
      LevelCounts counts;
      for (const std::uint32_t row : rows) {
        const auto cols = graph.by_target.of(row);
        const auto at = std::ranges::find_if(cols, [&](std::uint32_t col) { return test_bit(visited, col); });
        longest = std::max(longest, cols.size());
        expected.push_back(at == cols.end() ? graph.layout.missing_col() : *at);
        counts.found += at == cols.end() ? 0 : 1;
        counts.arcs_scanned += at - cols.begin() + (at == cols.end() ? 0 : 1);
      }
      for (const InstructionSet set : supported_instruction_sets()) {
        std::vector<std::uint32_t> parents(length, not_written);
        const LevelCounts told = asked_rows_step(set)({graph, visited.data(), rows, parents.data()});
        EXPECT_EQ(parents, expected) << fmt::format("{}, {} of 1000 visited, {} rows", name_of(set),
                                                    per_mille, length);
        EXPECT_EQ(told.found, counts.found);
        EXPECT_EQ(told.arcs_scanned, counts.arcs_scanned);
      }
    }
  }
  EXPECT_GT(longest, 64U);
}

/// Sources visited that are no visited rows: what a grid of several rows and columns sees.
TEST(BottomUp, AsksTheColumnsAndNotTheRows) {
  const Graph graph = construct(test::random_multigraph(3, 2000, 12000, 3));
  const std::size_t words = graph.layout.own_words();
  std::mt19937_64 draw(4);
  std::vector<Word> visited_cols(graph.layout.col_words());
  std::vector<Word> visited(graph.layout.col_words());
  for (std::uint32_t t = 0; t < graph.layout.own_searched(); ++t) {
    if (draw() % 50 == 0) set_bit(visited_cols, t);
    if (draw() % 3 == 0) set_bit(visited, t);
  }
  const Outcome expected = obvious(graph, visited_cols, visited, 0, words);
  for (const InstructionSet set : supported_instruction_sets()) {
    Outcome outcome = stepped(bottom_up_step(set), graph, visited_cols, visited, 0, words);
    forget_parents_of_first_found(outcome);
    EXPECT_EQ(outcome, expected) << name_of(set);
  }
}

/// Words of rows that a graph of the largest numbers has: on both sides of row 2^31, and the last ones.
constexpr std::size_t large_words = 8;
constexpr std::size_t large_first_words[] = {(std::size_t{1} << 31) / word_bits - large_words / 2,
                                             0xFFFFFE00 / word_bits - large_words};

/// As many rows and columns as a layout can have. Arrays by row are mapped whole, and only those few rows are
/// in memory; their neighbours are anywhere.
Graph graph_of_largest_numbers(std::mt19937_64& draw) {
  Graph graph;
  graph.layout = GridLayout::make({2, 2}, 0, BlockPartition(std::int64_t{1} << 34, 4),
                                  {0x7FFFFE00, 0x80000000, 0x80000000, 0});
  const std::size_t rows = graph.layout.num_rows();
  graph.has_arc = LargeArray<Word>(graph.layout.row_words());
  graph.has_more = LargeArray<Word>(graph.layout.row_words());
  for (auto& plane : graph.plane) plane = LargeArray<std::uint32_t>(rows);
  graph.by_target.start = LargeArray<std::uint64_t>(rows + 1);
  std::vector<std::uint32_t> neighbours;
  for (const std::size_t first_word : large_first_words) {
    graph.by_target.start[first_word * word_bits] = neighbours.size();
    for (std::size_t row = first_word * word_bits; row < (first_word + large_words) * word_bits; ++row) {
      const std::size_t count = draw() % 4 == 0 ? draw() % 60 : draw() % 6;
      for (std::size_t k = 0; k < std::max(count, num_planes); ++k) {
        constexpr std::uint32_t near[] = {0, 0x7FFFF000, 0xFFFFFE00 - 0x2000};
        const std::uint32_t col = k < count ? near[draw() % 3] + static_cast<std::uint32_t>(draw() % 0x2000)
                                            : graph.layout.missing_col();
        if (k < count) neighbours.push_back(col);
        if (k < num_planes) graph.plane[k][row] = col;
      }
      if (count > 0) set_bit(graph.has_arc.span(), row);
      if (count > num_planes) set_bit(graph.has_more.span(), row);
      graph.by_target.start[row + 1] = neighbours.size();
    }
  }
  graph.by_target.neighbour = LargeArray<std::uint32_t>(neighbours.size());
  std::ranges::copy(neighbours, graph.by_target.neighbour.begin());
  return graph;
}

TEST(BottomUp, FindsTheSameAmongTheLargestNumbers) {
  std::mt19937_64 draw(6);
  std::optional<Graph> mapped;
  try {
    mapped.emplace(graph_of_largest_numbers(draw));
  } catch (const EnvironmentError& error) {
    GTEST_SKIP() << error.what();  // of a system that maps no more than it has
  }
  const Graph& graph = *mapped;
  ASSERT_EQ(graph.layout.num_rows(), 0xFFFFFE00);
  ASSERT_EQ(graph.layout.num_cols(), 0xFFFFFE00);
  for (const unsigned per_mille : {3U, 50U, 400U}) {
    LargeArray<Word> visited_cols(graph.layout.col_words());
    for (const std::uint32_t col : graph.by_target.neighbours()) {
      if (draw() % 1000 < per_mille) set_bit(visited_cols.span(), col);
    }
    LargeArray<Word> visited(graph.layout.row_words());
    for (const std::size_t first : large_first_words) {
      for (std::size_t w = first; w < first + large_words; ++w) visited[w] = draw() & draw();
      const Outcome expected = obvious(graph, visited_cols.span(), visited.span(), first, large_words);
      for (const InstructionSet set : supported_instruction_sets()) {
        Outcome outcome =
            stepped(bottom_up_step(set), graph, visited_cols.span(), visited.span(), first, large_words);
        forget_parents_of_first_found(outcome);
        EXPECT_EQ(outcome, expected) << name_of(set) << ", " << per_mille << " of 1000";
        Outcome few =
            stepped(bottom_up_few_step(set), graph, visited_cols.span(), visited.span(), first, large_words);
        few.arcs_scanned = expected.arcs_scanned;  // rows are not padded to planes here
        EXPECT_EQ(few, without_planes(expected, graph, first)) << name_of(set);
        expect_the_same_by_name(set, graph, visited_cols.span(), visited.span(),
                                without_planes(expected, graph, first), first);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
