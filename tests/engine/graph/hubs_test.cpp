// SPDX-License-Identifier: Apache-2.0
// Hubs, and those that owners keep, against what the edge list says, on every grid.
#include "graph/hubs.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/graph.hpp"
#include "graph/hub_twin.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;
using Twin = test::HubTwin;

/// Rows of an owner of the grid row that have a neighbour here, that is in this grid column, which the owner
/// does not keep.
void compare_rows_with_others(const Graph& graph, const Twin& twin, int piece, const std::string& where) {
  const GridLayout& layout = graph.layout;
  const std::int64_t first_here = layout.first_col_original();
  const int owner = layout.block_of_row_piece(piece);
  std::set<std::int64_t> expected;
  for (std::int64_t at = 0; at < layout.blocks.size(owner); ++at) {
    const std::int64_t v = layout.blocks.first(owner) + at;
    if (!twin.searched[static_cast<std::size_t>(v)]) continue;
    const std::vector<std::int64_t> kept = twin.first_hubs_of(v);
    for (const std::int64_t u : twin.neighbours[static_cast<std::size_t>(v)]) {
      const bool is_here =
          twin.searched[static_cast<std::size_t>(u)] && u >= first_here && u < first_here + layout.col_span();
      if (is_here && std::ranges::find(kept, u) == kept.end()) expected.insert(v);
    }
  }
  const std::uint32_t first = layout.row_offset[static_cast<std::size_t>(piece)];
  const std::uint32_t end = layout.row_offset[static_cast<std::size_t>(piece) + 1];
  std::int64_t marked = 0;
  for (std::uint32_t row = first; row < end; ++row) {
    marked += test_bit(graph.hubs.rows_with_others.span(), row) ? 1 : 0;
  }
  EXPECT_EQ(marked, std::ssize(expected)) << where << ", piece " << piece;
  if (owner != layout.rank) return;  // of others their numbering is not known here
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    const std::int64_t v = layout.blocks.first(owner) + graph.numbering.original[t];
    EXPECT_EQ(test_bit(graph.hubs.rows_with_others.span(), first + t), expected.contains(v))
        << where << ", vertex " << v;
  }
}

/// The hubs of this grid column in the order of its columns, which is that of hub numbers.
void compare_columns(const Graph& graph, const Twin& twin, const std::string& where) {
  const Hubs& hubs = graph.hubs;
  const GridLayout& layout = graph.layout;
  const auto col = static_cast<std::size_t>(layout.grid_col());
  EXPECT_EQ(hubs.first_of_col[col] % word_bits, 0U) << where;
  std::uint32_t hub = hubs.first_of_col[col];
  for (const HubWord& word : hubs.column_hub_words) {
    EXPECT_NE(word.hubs, Word{0}) << where;
    for_each_bit({&word.hubs, 1}, [&](std::size_t bit) {
      const std::uint32_t column =
          word.at * static_cast<std::uint32_t>(word_bits) + static_cast<std::uint32_t>(bit);
      const std::uint32_t of_hub = hub++;
      graph.with_rows_by_source([&](const auto& columns) {
        if (graph.has_hypersparse_cols && columns.length(column) == 0) return;  // its original is not kept
        EXPECT_EQ(hubs.original[of_hub],
                  layout.first_col_original() + graph.column_original[columns.entry_of(column)])
            << where;
      });
    });
  }
  EXPECT_EQ(hub - hubs.first_of_col[col], hubs.count_of_col[col]) << where;
  std::int64_t here = 0;
  for (std::int64_t v = layout.first_col_original(); v < layout.first_col_original() + layout.col_span();
       ++v) {
    here += twin.is_hub(v) ? 1 : 0;
  }
  EXPECT_EQ(hubs.count_of_col[col], here) << where;
}

struct Asked {
  NumberingOptions numbering = {};
  Hypersparse hypersparse = Hypersparse::never;
  bool families = false;
  bool copies = false;  // of arcs are kept
};

void compare(const SampleGraph& sample, GridShape shape, const Asked& asked = {}) {
  const Communicator& world = test::world();
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  const Graph graph = construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody,
                                      {.numbering = asked.numbering,
                                       .keep_duplicates = asked.copies,
                                       .families = asked.families,
                                       .hubs = true,
                                       .hypersparse = asked.hypersparse});
  const Twin twin(sample, asked.numbering, shape);
  const Hubs& hubs = graph.hubs;
  const std::string where = sample.name + " on " + shape.text();
  std::vector<std::int64_t> expected;
  for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
    if (shape.cols > 1 && twin.is_hub(v)) expected.push_back(v);
  }
  ASSERT_EQ(hubs.count, std::ssize(expected)) << where;
  if (hubs.empty()) return;
  std::vector<std::int64_t> named;
  std::ranges::copy_if(hubs.original, std::back_inserter(named), [](std::int64_t v) { return v >= 0; });
  std::ranges::sort(named);
  EXPECT_EQ(named, expected) << where;
  std::uint32_t hub = hubs.offset[static_cast<std::size_t>(world.rank())];
  std::vector<Word> own(graph.layout.own_words(), 0);
  for (const HubWord& word : hubs.own_hub_words) own[word.at] = word.hubs;
  compare_columns(graph, twin, where);
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    const std::int64_t v = raw(graph.layout.blocks.to_global(world.rank(), graph.numbering.original[t]));
    EXPECT_EQ(test_bit(own, t), twin.is_hub(v)) << where << ", vertex " << v;
    if (twin.is_hub(v)) {
      EXPECT_EQ(hubs.original[hub++], v) << where;
    }
    std::vector<std::int64_t> kept;
    for (const auto& place : hubs.kept) {
      if (place[t] != hubs.missing()) kept.push_back(hubs.original[place[t]]);
    }
    EXPECT_EQ(kept, twin.first_hubs_of(v)) << where << ", vertex " << v;
    EXPECT_EQ(test_bit(hubs.has_kept.span(), t), !kept.empty()) << where;
    EXPECT_EQ(test_bit(hubs.has_others.span(), t), twin.has_others(v, kept)) << where << ", vertex " << v;
  }
  for (int piece = 0; piece < shape.cols; ++piece) {
    compare_rows_with_others(graph, twin, piece, where);
  }
  EXPECT_EQ(graph.numbering.by_family, asked.families) << where;
}

TEST(Hubs, AreThoseOfHighestDegreeAndKeptByOwners) {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(9, 16));
  graphs.push_back(test::random_multigraph(3, 1013, 9000, 5));
  std::size_t first = 0;
  for (const SampleGraph& graph : graphs) {
    std::size_t turn = first++;  // each shape has all in turn, however many shapes there are
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      compare(graph, shape,
              {.hypersparse = turn % 2 == 0 ? Hypersparse::never : Hypersparse::always,
               .families = turn / 2 % 2 == 0});
      ++turn;
    }
  }
  const SampleGraph plain = test::kronecker_graph(8, 16);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    compare(plain, shape, {.numbering = {.relabel = false, .leaves_out = false}});
  }
}

/// Degrees far apart: the search for the least degree of a hub takes several rounds.
TEST(Hubs, AreFoundWhereDegreesAreFarApart) {
  SampleGraph graph{"copies of edges", 400, {}};
  for (std::int64_t v = 0; v + 1 < 400; ++v) {
    const std::int64_t copies = v % 40 == 0 ? 9000 - v : 1 + v % 7;
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      graph.edges.push_back({GlobalVertex{v}, GlobalVertex{v + 1}});
    }
  }
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    compare(graph, shape);
    compare(graph, shape, {.families = true});  // hubs, and heavy vertices that are none
    compare(graph, shape, {.copies = true});
  }
}

/// Enough targets for a second round of hub arcs, which has 2^17 of all owners together.
TEST(Hubs, ComeInSeveralRounds) {
  const std::int64_t columns = test::world().size();
  if (columns == 1) return;
  const SampleGraph graph = test::random_multigraph(9, 160000, 400000, 6);
  compare(graph, {1, static_cast<int>(columns)});
}

/// Own vertices with neighbours that are no kept hubs, by original number: who asks in a search.
std::set<std::int64_t> with_others(const SampleGraph& sample, GridShape shape) {
  const Communicator& world = test::world();
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  const Graph graph = construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody,
                                      {.hubs = true});
  std::set<std::int64_t> vertices;
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    if (graph.hubs.empty() || !test_bit(graph.hubs.has_others.span(), t)) continue;
    vertices.insert(raw(graph.layout.blocks.to_global(world.rank(), graph.numbering.original[t])));
  }
  return vertices;
}

TEST(Hubs, LeaveTheSameToAskWhateverCopiesOfEdgesAreListed) {
  const SampleGraph once = test::listed_once(test::kronecker_graph(8, 4));
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const std::set<std::int64_t> expected = with_others(once, shape);
    EXPECT_EQ(test::world().sum(std::ssize(expected)) > 0, shape.cols > 1);
    EXPECT_EQ(with_others(test::with_copies(once, 2), shape), expected) << shape.text();
  }
}

TEST(Hubs, AreOfEveryBlockThatHasOne) {
  const Communicator& world = test::world();
  const SampleGraph sample = test::hub_in_every_block();
  for (const GridShape shape : test::shapes_of(world.size())) {
    if (shape.cols == 1) continue;
    const Grid grid = Grid::arrange(world, shape);
    PhaseObserver nobody;
    const Graph graph = construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid,
                                        nobody, {.hubs = true});
    std::int64_t own = 0;
    for (const HubWord& word : graph.hubs.own_hub_words) own += std::popcount(word.hubs);
    EXPECT_GT(own, 0) << shape.text();
    EXPECT_EQ(world.sum(own), graph.hubs.count) << shape.text();
  }
}

TEST(Hubs, AreBoundedByWhatTheyReplace) {
  EXPECT_EQ(most_hubs(1000, {4, 1}), 0);
  EXPECT_EQ(most_hubs(1000, {1, 2}), 150);
  EXPECT_EQ(most_hubs(1000, {2, 2}), 100);
  EXPECT_EQ(most_hubs(1000, {1, 40}), 100) << "four of its own vertices";
  EXPECT_EQ(most_hubs(3, {2, 2}), 0) << "fewer vertices than would make one";
  EXPECT_EQ(most_hubs(1'000'000, {2, 2}, true), 1'000'000 / 4096);
  EXPECT_EQ(most_hubs(4095, {2, 2}, true), 0);
  EXPECT_EQ(most_hubs(1'000'000, {4, 1}, true), 0);
  EXPECT_EQ(most_hubs(1'000'000, {1000, 1000}, true), 4) << "fewer by its ranks";
  EXPECT_LE(most_hubs(769'658'139'444, {316, 316}), std::int64_t{1} << 25) << "scale 42 on 100,000 ranks";
}

}  // namespace
}  // namespace isobath
