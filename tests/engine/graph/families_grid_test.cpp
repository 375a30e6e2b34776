// SPDX-License-Identifier: Apache-2.0
// Families on one grid column, whose ranks have the rows of their vertices whole: numbers, rows and ranges of
// every rank against what follows, vertex by vertex, from the whole graph.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"
#include "graph/check_arcs.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

/// Who is heavy and who follows whom, in original numbering.
class Heads {
 public:
  Heads(const SampleGraph& sample, int ranks)
      : adjacency_(reference::adjacency(sample.num_vertices, sample.edges)),
        blocks_(sample.num_vertices, ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      heavy_.emplace_back();
      for (std::int64_t v = blocks_.first(rank); v < blocks_.first(rank) + blocks_.size(rank); ++v) {
        if (is_heavy(v)) heavy_.back().push_back(v);
      }
      std::ranges::stable_sort(heavy_.back(), std::greater(), [&](std::int64_t v) { return endpoints(v); });
    }
    for (std::size_t position = 0; std::ssize(in_order_) < count(); ++position) {
      for (const auto& of_rank : heavy_) {
        if (position < of_rank.size()) in_order_.push_back(of_rank[position]);
      }
    }
    first_.assign(adjacency_.neighbours.size(), std::ssize(in_order_));
    for (std::ptrdiff_t place = std::ssize(in_order_) - 1; place >= 0; --place) {
      for (const GlobalVertex v : adjacency_.neighbours[at(in_order_[static_cast<std::size_t>(place)])]) {
        first_[at(raw(v))] = place;
      }
    }
  }

  bool is_searched(std::int64_t v) const { return adjacency_.neighbours[at(v)].size() > 1; }
  bool is_heavy(std::int64_t v) const { return is_searched(v) && endpoints(v) >= class_lower_bound[0]; }
  std::int64_t endpoints(std::int64_t v) const { return adjacency_.endpoints[at(v)]; }
  std::int64_t count() const {
    std::int64_t sum = 0;
    for (const auto& of_rank : heavy_) sum += std::ssize(of_rank);
    return sum;
  }
  /// Place of the first heavy neighbour among all heavy vertices; behind them where there is none.
  std::ptrdiff_t first_of(std::int64_t v) const { return first_[at(v)]; }
  /// The head of a vertex, which has one.
  std::int64_t head_of(std::int64_t v) const { return in_order_[static_cast<std::size_t>(first_of(v))]; }
  /// Own searched vertices of a rank in the order of their numbers.
  std::vector<std::int64_t> numbered(int rank) const {
    std::vector<std::int64_t> vertices = heavy_[static_cast<std::size_t>(rank)];
    const std::ptrdiff_t num_heavy = std::ssize(vertices);
    for (std::int64_t v = blocks_.first(rank); v < blocks_.first(rank) + blocks_.size(rank); ++v) {
      if (is_searched(v) && !is_heavy(v)) vertices.push_back(v);
    }
    std::stable_sort(vertices.begin() + num_heavy, vertices.end(),
                     [&](std::int64_t a, std::int64_t b) { return first_of(a) < first_of(b); });
    return vertices;
  }
  /// Whose followers on a rank are a family, in order: up to the first 64 heads with fewer than eight
  /// followers each there.
  std::vector<std::int64_t> with_family(int rank) const {
    std::vector<std::int64_t> followers(in_order_.size(), 0);
    for (const std::int64_t v : numbered(rank)) {
      if (!is_heavy(v) && first_of(v) < std::ssize(in_order_))
        ++followers[static_cast<std::size_t>(first_of(v))];
    }
    std::vector<std::int64_t> heads;
    for (std::size_t place = 0; place < in_order_.size(); ++place) {
      if (place % 64 == 0) {
        const std::size_t end = std::min(place + 64, in_order_.size());
        const auto sum =
            std::accumulate(followers.begin() + static_cast<std::ptrdiff_t>(place),
                            followers.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{0});
        if (sum < 8 * static_cast<std::int64_t>(end - place)) break;
      }
      if (followers[place] > 0) heads.push_back(in_order_[place]);
    }
    return heads;
  }
  const reference::Adjacency& adjacency() const { return adjacency_; }
  const BlockPartition& blocks() const { return blocks_; }

 private:
  static std::size_t at(std::int64_t v) { return static_cast<std::size_t>(v); }

  reference::Adjacency adjacency_;
  BlockPartition blocks_;
  std::vector<std::vector<std::int64_t>> heavy_;  // of every rank, by number
  std::vector<std::int64_t> in_order_;            // the first of every rank, then the second, and so on
  std::vector<std::ptrdiff_t> first_;             // of every vertex
};

struct OneColumnGraph {
  OneColumnGraph(const SampleGraph& sample, bool families)
      : grid(Grid::arrange(test::world(), {test::world().size(), 1})),
        edges(test::share_of(sample, test::world().rank(), test::world().size())),
        graph(construct_graph(edges, test::world(), grid, nobody, {.families = families})) {}

  std::int64_t original_of_column(std::uint32_t col) const { return graph.column_original[col]; }
  std::int64_t original_of_row(std::uint32_t row) const {
    return graph.layout.blocks.first(graph.layout.rank) + graph.numbering.original[row];
  }

  Grid grid;
  SpanEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
};

// What follows compares in functions of their own, which may return early: a rank that fails still takes part
// in every collective call.

void expect_numbered_by_family(const OneColumnGraph& on, const Heads& heads) {
  const Numbering& numbering = on.graph.numbering;
  ASSERT_TRUE(numbering.by_family);
  std::vector<std::int64_t> found;
  for (std::uint32_t t = 0; t < numbering.searched(); ++t) {
    found.push_back(on.original_of_row(t));
    ASSERT_EQ(numbering.code[numbering.original[t]], t);
    ASSERT_EQ(numbering.degree[t], heads.endpoints(found.back()));
  }
  ASSERT_EQ(found, heads.numbered(on.graph.layout.rank));
}

TEST(FamiliesOnOneColumn, NumberVerticesByTheirFirstHeavyNeighbour) {
  const Communicator& world = test::world();
  for (const SampleGraph& sample : test::graphs_of_few_hubs()) {
    const Heads heads(sample, world.size());
    EXPECT_GT(heads.count(), 0);
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(sample.name);
      set_num_threads(threads);
      const OneColumnGraph on(sample, true);
      expect_numbered_by_family(on, heads);
      std::int64_t in_pairs = 0;  // own leaves that are each other's only neighbour
      for (std::uint32_t leaf = 0; leaf < on.graph.numbering.leaves(); ++leaf) {
        const auto neighbour = static_cast<std::size_t>(on.graph.leaves.neighbour[leaf]);
        in_pairs += heads.adjacency().neighbours[neighbour].size() == 1 ? 1 : 0;
      }
      const ArcCheck check = check_arcs(on.graph, in_pairs, on.edges, world, on.grid);
      EXPECT_EQ(check.missing_arcs, 0);
      EXPECT_EQ(check.stored_arcs, check.met_arcs);
    }
  }
  set_num_threads(1);
}

/// A row's first neighbour is its head, though another rank may have few heavy vertices, and so columns of
/// low position that are none.
void expect_rows_begin_with_heads(const OneColumnGraph& on, const Heads& heads) {
  for (std::uint32_t row = 0; row < on.graph.numbering.searched(); ++row) {
    const auto cols = on.graph.by_target.of(row);
    const auto is_heavy = [&](std::uint32_t col) { return heads.is_heavy(on.original_of_column(col)); };
    ASSERT_TRUE(std::ranges::is_partitioned(cols, is_heavy)) << "row " << row;
    if (!cols.empty() && is_heavy(cols[0])) {
      ASSERT_EQ(on.original_of_column(cols[0]), heads.head_of(on.original_of_row(row)));
    }
  }
}

void expect_families(const OneColumnGraph& on, const Heads& heads) {
  const Graph& graph = on.graph;
  const Families& families = graph.families;
  std::vector<std::int64_t> found;
  std::vector<char> is_head(graph.layout.num_cols(), 0);
  for (std::size_t k = 0; k < families.size(); ++k) {
    const std::uint32_t head = families.head[k];
    found.push_back(on.original_of_column(head));
    is_head[head] = 1;
    const Families::Members members = families.members(head);
    ASSERT_EQ(members.family, k);
    ASSERT_EQ(members.begin, families.begin[k]);
    ASSERT_EQ(members.end, families.begin[k + 1]);
    for (std::uint32_t row = members.begin; row < members.end; ++row) {
      ASSERT_EQ(graph.by_target.of(row)[0], head);
      ASSERT_EQ(graph.by_source().of(head)[members.first + row - members.begin], row);
    }
  }
  ASSERT_EQ(found, heads.with_family(graph.layout.rank));
  for (std::uint32_t col = 0; col < graph.layout.num_cols(); ++col) {
    if (is_head[col] == 0) {
      ASSERT_EQ(families.members(col).size(), 0U) << "column " << col;
    }
  }
}

TEST(FamiliesOnOneColumn, AreRangesOfRowsAndOfArcs) {
  std::int64_t families_of_all = 0;
  for (const SampleGraph& sample : test::graphs_of_few_hubs()) {
    SCOPED_TRACE(sample.name);
    const Heads heads(sample, test::world().size());
    const OneColumnGraph on(sample, true);
    families_of_all += std::ssize(on.graph.families.head);
    expect_rows_begin_with_heads(on, heads);
    expect_families(on, heads);
  }
  EXPECT_GT(test::world().sum(families_of_all), 0);
}

TEST(FamiliesOnOneColumn, MarkTheFollowersOfHeadsOfAnyRank) {
  for (const SampleGraph& sample : test::graphs_of_few_hubs()) {
    const OneColumnGraph on(sample, true);
    const Families& families = on.graph.families;
    const std::size_t words = on.graph.layout.own_words();
    for (const std::uint32_t every : {1U, 2U, 3U}) {
      std::vector<Word> visited(on.graph.layout.col_words());
      std::vector<char> is_marked(families.size(), 0);
      for (std::uint32_t col = 0; col < on.graph.layout.num_cols(); col += every) {
        set_bit(visited, col);
        const Families::Members members = families.members(col);
        if (members.size() > 0) is_marked[members.family] = 1;
      }
      for (const auto& [first, count] :
           {std::pair<std::size_t, std::size_t>{0, words}, {words / 3, words / 2}}) {
        std::vector<Word> by_column(count, 0x55);
        std::vector<Word> by_family(count, 0xAA);
        families.mark_followers(first, count, visited.data(), by_column.data());
        families.mark_followers_of(first, count, is_marked, by_family.data());
        EXPECT_EQ(by_column, by_family);
        bool is_as_rows_say = true;
        for (std::size_t bit = 0; bit < count * word_bits; ++bit) {
          const auto row = static_cast<std::uint32_t>(first * word_bits + bit);
          const bool in_family = row >= families.first_row() && row < families.end_row();
          const bool expected = in_family && test_bit(visited, on.graph.by_target.of(row)[0]);
          is_as_rows_say &= test_bit(by_column, bit) == expected;
        }
        EXPECT_TRUE(is_as_rows_say) << sample.name << ", words from " << first;
      }
    }
  }
}

/// Nowhere a heavy vertex, families not asked for, or several grid columns: degree classes.
TEST(FamiliesOnOneColumn, AreNoneElsewhere) {
  const Communicator& world = test::world();
  const OneColumnGraph lattice(test::lattice(30, 40), true);
  EXPECT_FALSE(lattice.graph.numbering.by_family);
  EXPECT_TRUE(lattice.graph.families.empty());
  EXPECT_EQ(lattice.graph.families.members(3).size(), 0U);
  const SampleGraph sample = test::hubs_in_front(4001);
  EXPECT_FALSE(OneColumnGraph(sample, false).graph.numbering.by_family);
  if (world.size() == 1) return;
  PhaseObserver nobody;
  const Grid row = Grid::arrange(world, {1, world.size()});
  const SpanEdgeStream edges = test::share_of(sample, world.rank(), world.size());
  const Graph graph = construct_graph(edges, world, row, nobody, {.families = true});
  EXPECT_FALSE(graph.numbering.by_family);
  EXPECT_TRUE(graph.families.empty());
}

}  // namespace
}  // namespace isobath
