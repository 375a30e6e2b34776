// SPDX-License-Identifier: Apache-2.0
// The scan of a top-down level on several grid columns: which rows it proposes, with which parents, against
// the obvious loop on made-up grids, and against the graph itself on real ones.
#include "bfs/hybrid/steps/scan_columns.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

/// What one rank of a made-up grid stores: of every column up to `most_rows` drawn rows, ascending.
Graph drawn_graph(std::mt19937_64& draw, GridShape shape, int rank, std::uint32_t vertices,
                  std::uint32_t most_rows) {
  Graph graph;
  std::vector<std::uint32_t> searched;
  for (int block = 0; block < shape.size(); ++block) {
    // Pieces of unlike lengths, one of them empty.
    searched.push_back(block == 1 ? 0 : vertices - static_cast<std::uint32_t>(block) * vertices / 20);
  }
  graph.layout = GridLayout::make(
      shape, rank, BlockPartition(shape.size() * std::int64_t{vertices}, shape.size()), searched);
  std::vector<std::uint32_t> rows;  // those that exist
  for (int piece = 0; piece < shape.cols; ++piece) {
    for (std::uint32_t t = 0; t < searched[static_cast<std::size_t>(graph.layout.block_of_row_piece(piece))];
         ++t) {
      rows.push_back(graph.layout.row_offset[static_cast<std::size_t>(piece)] + t);
    }
  }
  const std::uint32_t cols = graph.layout.num_cols();
  graph.by_source_stored.start = LargeArray<std::uint64_t>(cols + 1);
  LargeArray<std::uint32_t> originals(cols);
  std::vector<std::uint32_t> stored;
  for (std::uint32_t col = 0; col < cols; ++col) {
    originals[col] = 7 * col + 3;
    std::vector<std::uint32_t> of_col(draw() % (most_rows + 1));
    for (std::uint32_t& row : of_col) row = rows[draw() % rows.size()];
    std::ranges::sort(of_col);
    of_col.erase(std::ranges::unique(of_col).begin(), of_col.end());
    stored.insert(stored.end(), of_col.begin(), of_col.end());
    graph.by_source_stored.start[col + 1] = stored.size();
  }
  graph.by_source_stored.neighbour = LargeArray<std::uint32_t>(stored.size());
  std::ranges::copy(stored, graph.by_source_stored.neighbour.begin());
  graph.column_original = ColumnOriginals(std::move(originals));
  return graph;
}

/// Rows and columns that exist alone have entries. What a row has does not matter here, but how much.
void make_hypersparse(Graph& graph) {
  Rows rows;
  rows.start = LargeArray<std::uint64_t>(graph.layout.num_rows() + 1);
  rows.neighbour = LargeArray<std::uint32_t>(graph.by_source_stored.num_arcs());
  LargeArray<Word> rows_with_arc(graph.layout.row_words());
  for (const std::uint32_t row : graph.by_source_stored.neighbour) {
    ++rows.start[row + 1];
    set_bit(rows_with_arc.span(), row);
  }
  for (std::size_t row = 0; row < graph.layout.num_rows(); ++row) rows.start[row + 1] += rows.start[row];
  graph.has_hypersparse_rows = true;
  graph.hypersparse_by_target = HypersparseRows(std::move(rows), PlacedBits(std::move(rows_with_arc)));

  LargeArray<Word> cols_with_arc(graph.layout.num_cols() / word_bits);
  LargeArray<std::uint32_t> originals(graph.layout.num_cols());
  std::size_t place = 0;
  for (std::uint32_t col = 0; col < graph.layout.num_cols(); ++col) {
    if (graph.by_source_stored.length(col) == 0) continue;
    set_bit(cols_with_arc.span(), col);
    originals[place++] = graph.source_at(col);
  }
  graph.column_original = ColumnOriginals(std::move(originals));
  graph.has_hypersparse_cols = true;
  graph.hypersparse_by_source =
      HypersparseRows(std::move(graph.by_source_stored), PlacedBits(std::move(cols_with_arc)));
}

/// The same by the obvious loop. It knows of each row every source that a scan may propose.
struct Obvious {
  explicit Obvious(const Graph& graph) : layout(graph.layout), by_source(graph.by_source()) {}

  /// Returns the arcs scanned.
  std::int64_t scan(const Graph& graph, std::span<const std::uint32_t> columns) {
    std::int64_t arcs = 0;
    sources.clear();
    for (const std::uint32_t col : columns) {
      for (const std::uint32_t row : by_source.of(col)) {
        ++arcs;
        if (!proposed.contains(row)) sources[row].push_back(graph.source_at(col));
      }
    }
    for (const auto& [row, ignored] : sources) proposed[row] = true;
    return arcs;
  }
  std::size_t piece_of(std::uint32_t row) const {
    std::size_t piece = 0;
    while (row >= layout.row_offset[piece + 1]) ++piece;
    return piece;
  }

  const GridLayout& layout;
  const Rows& by_source;
  std::map<std::uint32_t, bool> proposed;
  std::map<std::uint32_t, std::vector<std::uint32_t>> sources;  // of rows that the last scan proposes
};

/// What waits to be folded since `before` of each piece: rows that the obvious loop proposes, once each, the
/// first source by one thread and any by several.
void expect_proposed(const Obvious& obvious, const Fold& fold, std::vector<std::size_t>& before,
                     const std::string& where) {
  std::size_t proposals = 0;
  for (std::size_t piece = 0; piece < before.size(); ++piece) {
    const std::span<const Proposal> fresh = fold.outgoing(piece).subspan(before[piece]);
    before[piece] += fresh.size();
    proposals += fresh.size();
    std::map<std::uint32_t, int> times;
    for (const auto& [target, source] : fresh) {
      const std::uint32_t row = obvious.layout.row_offset[piece] + target;
      EXPECT_EQ(++times[row], 1) << where << ", row " << row;
      EXPECT_EQ(obvious.piece_of(row), piece) << where << ", row " << row;
      const auto may = obvious.sources.find(row);
      ASSERT_NE(may, obvious.sources.end()) << where << ", row " << row;
      const auto choice = max_threads() == 1 ? std::span(may->second).first(1) : std::span(may->second);
      EXPECT_NE(std::ranges::find(choice, source), choice.end()) << where << ", row " << row;
    }
  }
  EXPECT_EQ(proposals, obvious.sources.size()) << where;
}

/// Levels of one column, of a few and of all of them, so that both ways of scanning are taken; a level again,
/// which proposes nothing; and rows that are known to be visited, which are passed over.
void scan_in_turn(GridShape shape, int rank, std::uint32_t vertices, std::uint32_t most_rows,
                  bool hypersparse) {
  std::mt19937_64 draw(vertices + static_cast<std::uint32_t>(rank));
  std::mt19937_64 again = draw;
  const Graph with_all = drawn_graph(draw, shape, rank, vertices, most_rows);
  Graph graph = drawn_graph(again, shape, rank, vertices, most_rows);
  if (hypersparse) make_hypersparse(graph);
  const Communicator alone;  // nothing is folded
  Parents parents(graph);
  Fold fold(graph, alone, default_switches("hybrid"), {}, parents);
  RowNotes notes(graph);
  Obvious obvious(with_all);
  for (std::uint32_t row = 0; row < graph.layout.num_rows(); row += 5) {
    set_bit(fold.proposed(), row);
    obvious.proposed[row] = true;
  }
  std::vector<std::uint32_t> all(graph.layout.num_cols());
  for (std::uint32_t col = 0; col < all.size(); ++col) all[col] = col;
  std::vector<std::size_t> before(static_cast<std::size_t>(shape.cols), 0);
  for (const std::size_t columns :
       {std::size_t{0}, std::size_t{1}, all.size() / 7, all.size() / 7, all.size()}) {
    const std::size_t size = std::min(columns, all.size());  // a rank may have no columns
    std::vector<std::uint32_t> level(all.end() - static_cast<std::ptrdiff_t>(size), all.end());
    std::ranges::shuffle(level, draw);
    const std::string where =
        fmt::format("rank {} of {}, {} vertices, {} columns, {} threads{}", rank, shape.text(), vertices,
                    columns, max_threads(), hypersparse ? ", rows that exist" : "");
    const std::int64_t arcs = obvious.scan(with_all, level);
    EXPECT_EQ(scan_columns(graph, level, notes, fold), arcs) << where;
    expect_proposed(obvious, fold, before, where);
    for (std::uint32_t row = 0; row < graph.layout.num_rows(); ++row) {
      ASSERT_EQ(test_bit(fold.proposed(), row), obvious.proposed.contains(row)) << where << ", row " << row;
    }
  }
}

TEST(ScanColumns, ProposesWhatTheObviousLoopProposes) {
  const int threads_before = max_threads();
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    for (const GridShape shape : {GridShape{1, 2}, {2, 2}, {1, 5}, {3, 4}, {4, 2}}) {
      for (const int rank : {0, 1, shape.size() - 1}) {
        for (const bool hypersparse : {false, true}) {
          scan_in_turn(shape, rank, 60, 3, hypersparse);
          scan_in_turn(shape, rank, 700, 9, hypersparse);
        }
      }
    }
  }
  set_num_threads(threads_before);
}

/// Every neighbour of the frontier is offered to its owner, by each rank of the grid row once in a search;
/// but not by those that have the arc from a hub to its family.
void expect_each_row_proposed_once(const GridGraph& on, GridShape shape) {
  for (const std::uint64_t share : {0U, 1U, 30U}) {
    const Drawn drawn{share, share};
    Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::list);
    Parents parents(on.graph());
    Fold fold(on.graph(), on.built.grid.row_comm, default_switches("hybrid"), {}, parents);
    RowNotes notes(on.graph());
    const std::vector<std::uint32_t> own = on.list(drawn);
    const auto columns = expand.frontier(own);
    std::int64_t expected_arcs = 0;
    for (const std::uint32_t col : columns) expected_arcs += on.length_by_source(col);
    std::map<std::uint32_t, int> offered;
    PhaseObserver nobody;
    // A column by itself is scanned by one thread, as are few arcs; all of them by bits.
    if (!columns.empty()) scan_columns(on.graph(), columns.first(1), notes, fold);
    const auto anybody = [](std::int64_t) { return true; };
    const Communicator& world = test::world();
    const std::int64_t all_arcs = world.sum(expected_arcs - on.followers_of(drawn, anybody));
    EXPECT_EQ(world.sum(scan_columns(on.graph(), columns, notes, fold)), all_arcs);
    EXPECT_EQ(world.sum(scan_columns(on.graph(), columns, notes, fold)), all_arcs);
    fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
    for (std::uint32_t t = 0; t < on.graph().layout.own_searched(); ++t) {
      const std::int64_t v = on.original(t);
      const bool follows = on.follows(t, drawn);
      if (!follows) {
        EXPECT_EQ(offered[t] > 0, on.has_neighbour(v, drawn)) << shape.text() << " vertex " << v;
      }
      EXPECT_LE(offered[t], shape.cols);
      if (offered[t] == 0) continue;
      const std::int64_t parent = parents.by_vertex()[t];
      EXPECT_TRUE(drawn(parent) && on.are_neighbours(v, parent)) << shape.text();
    }
    fold.reset();
    offered.clear();
    scan_columns(on.graph(), columns, notes, fold);
    fold.run(nobody, [&](std::uint32_t target) { return offered[target]++ == 0; });
    const auto found = on.list([&](std::int64_t v) { return on.has_neighbour(v, drawn); });
    for (const std::uint32_t t : found) {
      EXPECT_LE(offered[t], shape.cols - (on.follows(t, drawn) ? 1 : 0)) << shape.text();
    }
    const bool is_any_offered = std::ranges::any_of(offered, [](const auto& of) { return of.second > 0; });
    if (found.empty()) {
      EXPECT_FALSE(is_any_offered);
    }
    if (std::ranges::any_of(found, [&](std::uint32_t t) { return !on.follows(t, drawn); })) {
      EXPECT_TRUE(is_any_offered);
    }
  }
}

TEST(ScanColumns, ProposesEachRowOnce) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    for (const Hypersparse hypersparse : {Hypersparse::never, Hypersparse::always}) {
      expect_each_row_proposed_once(GridGraph(test::kronecker_graph(11, 8), shape, hypersparse), shape);
    }
    const GridGraph on(test::random_multigraph(5, 6000, 50000, 5), shape);
    EXPECT_EQ(on.graph().hubs.families.size() > 0, shape.cols > 1) << shape.text();
    expect_each_row_proposed_once(on, shape);
  }
}

}  // namespace
}  // namespace isobath
