// SPDX-License-Identifier: Apache-2.0
// Expand: every rank of a grid column learns what its owners know, whatever way it travels.
#include "bfs/hybrid/expand.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

constexpr FrontierForm forms[] = {FrontierForm::bitmap, FrontierForm::list, FrontierForm::smaller,
                                  FrontierForm::packed};

/// Originals of the whole grid column, ascending.
std::vector<std::int64_t> gathered(const GridGraph& on, const std::vector<std::uint32_t>& own) {
  std::vector<std::int64_t> originals;
  for (const std::uint32_t v : own) originals.push_back(on.original(v));
  std::vector<std::int64_t> all = on.built.grid.col_comm.allgatherv<std::int64_t>(originals);
  std::ranges::sort(all);
  return all;
}

TEST(Expand, TellsTheGridColumnItsFrontierAndWhatIsVisited) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(11, 8), shape);
    const GridLayout& layout = on.graph().layout;
    for (const FrontierForm form : forms) {
      Expand expand(on.graph(), on.built.grid.col_comm, form);
      EXPECT_EQ(expand.sends(), shape.rows > 1);
      for (const std::uint64_t share : {0U, 1U, 32U, 63U, 64U}) {
        const Drawn drawn{share + 5, share};
        std::vector<std::uint32_t> own = on.list(drawn);
        const std::vector<std::int64_t> expected = gathered(on, own);
        std::ranges::reverse(own);  // a list that was found top-down is in no order
        std::vector<std::int64_t> told;
        for (const std::uint32_t col : expand.frontier(own)) told.push_back(on.original_of_column(col));
        std::ranges::sort(told);
        EXPECT_EQ(told, expected) << shape.text() << ", form " << static_cast<int>(form) << ", share "
                                  << share;

        const std::vector<Word> visited = on.words(drawn);
        const Word* const cols = expand.visited(visited);
        std::vector<std::int64_t> seen;
        for_each_bit({cols, layout.col_words()}, [&](std::size_t col) {
          ASSERT_LT(col, layout.num_cols());
          seen.push_back(on.original_of_column(static_cast<std::uint32_t>(col)));
        });
        std::ranges::sort(seen);
        EXPECT_EQ(seen, expected) << shape.text() << ", form " << static_cast<int>(form) << ", share "
                                  << share;
      }
    }
  }
}

/// Columns of a frontier that somebody reads here, in the order of `all`, found from a graph of all columns:
/// they have an arc, or are hubs that are told.
std::vector<std::uint32_t> read_here(const GridGraph& on_all, std::span<const std::uint32_t> all) {
  const Hubs& hubs = on_all.graph().hubs;
  std::vector<std::uint32_t> read;
  std::ranges::copy_if(all, std::back_inserter(read), [&](std::uint32_t col) {
    const bool is_told =
        hubs.followers.have_families() &&
        std::ranges::find(hubs.original, on_all.original_of_column(col)) != hubs.original.end();
    return on_all.length_by_source(col) > 0 || is_told;
  });
  return read;
}

std::int64_t count_without_arc(const GridGraph& on, std::span<const std::uint32_t> columns) {
  return std::ranges::count_if(columns, [&](std::uint32_t col) { return on.length_by_source(col) == 0; });
}

/// Columns without an arc on their rank: in frontiers, and still there where such columns are left out.
struct WithoutArc {
  std::int64_t told = 0;
  std::int64_t kept = 0;
};

/// The same frontiers on a graph of all columns and on one of those that exist.
WithoutArc compare_frontiers(const GridGraph& all, const GridGraph& existing, FrontierForm form,
                             const std::string& where) {
  EXPECT_TRUE(existing.graph().has_hypersparse_cols) << where;
  Expand tells_all(all.graph(), all.built.grid.col_comm, form);
  Expand tells_read(existing.graph(), existing.built.grid.col_comm, form);
  WithoutArc found;
  for (const std::uint64_t share : {64U, 0U, 1U, 32U, 63U}) {  // also less than before
    std::vector<std::uint32_t> own = all.list(Drawn{share + 5, share});
    std::ranges::reverse(own);
    const auto told = tells_all.frontier(own);
    const auto read = tells_read.frontier(own);
    EXPECT_EQ(std::vector(read.begin(), read.end()), read_here(all, told)) << where << ", share " << share;
    found.told += count_without_arc(all, told);
    found.kept += count_without_arc(all, read);
  }
  return found;
}

TEST(Expand, LeavesOutHypersparseColumnsWithoutAnArcButHubs) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.rows == 1 || shape.cols == 1) continue;  // the own list itself; rows are complete
    for (const bool hubs : {true, false}) {
      WithoutArc met;
      for (const test::SampleGraph& sample :
           {test::kronecker_graph(9, 4), test::random_multigraph(6, 900, 1200)}) {
        PlanOptions options = GridGraph::options_on(shape);
        options.switches.hub_pass = hubs;
        const GridGraph all(sample, options);
        options.hypersparse = Hypersparse::always;
        const GridGraph existing(sample, options);
        for (const FrontierForm form : forms) {
          const WithoutArc found =
              compare_frontiers(all, existing, form,
                                fmt::format("{} on {}, {}, form {}", sample.name, shape.text(),
                                            hubs ? "hubs" : "none", static_cast<int>(form)));
          met.told += found.told;
          met.kept += found.kept;
        }
      }
      EXPECT_GT(test::world().sum(met.told), 0) << "or nothing is left out";
      EXPECT_EQ(test::world().sum(met.kept) > 0, hubs) << "or no hub is without an arc";
    }
  }
}

TEST(Expand, KnowsTheRootWithoutAMessage) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    const GridGraph on(test::kronecker_graph(8, 8), shape);
    Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
    for (std::int64_t v = 0; v < 50; ++v) {
      const Location root = locate(on.graph(), test::world(), GlobalVertex{v});
      if (root.kind != Location::Kind::searched) continue;
      const std::int64_t before = on.built.sent().bytes_sent;
      const auto columns = expand.start_column(root);
      EXPECT_EQ(on.built.sent().bytes_sent, before);
      const bool is_stored = shape.col_of(static_cast<int>(root.owner)) == on.graph().layout.grid_col();
      ASSERT_EQ(columns.size(), is_stored ? 1U : 0U);
      if (is_stored) {
        EXPECT_EQ(on.original_of_column(columns[0]), v);
      }
    }
  }
}

}  // namespace
}  // namespace isobath
