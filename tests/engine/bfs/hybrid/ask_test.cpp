// SPDX-License-Identifier: Apache-2.0
// Who is left asks by a list: only where lists are shorter than the bits of the grid row, and everybody who
// asks and has a visited neighbour gets one.
#include "bfs/hybrid/ask.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "bfs/hybrid/expand.hpp"
#include "bfs/hybrid/grid_graph.hpp"

namespace isobath {
namespace {

using test::Drawn;
using test::GridGraph;

/// What a rank proposes for a piece: for each row of the list that has a neighbour here which its owner does
/// not keep, the first visited one. Adds the arcs that are looked at.
std::vector<Proposal> obvious_answer(const GridGraph& on, std::size_t piece, std::span<const std::byte> list,
                                     const Word* visited_cols, std::int64_t& arcs_scanned) {
  std::vector<std::uint32_t> asking;
  unpack_ascending(list, asking);
  std::vector<Proposal> proposals;
  on.graph().with_rows_by_target([&](const auto& rows) {
    on.graph().with_rows_by_source([&](const auto& columns) {
      for (const std::uint32_t own : asking) {
        const std::uint32_t row = on.graph().layout.row_offset[piece] + own;
        if (!test_bit(on.graph().hubs.rows_with_others.span(), row)) continue;
        for (const std::uint32_t col : rows.of(row)) {
          ++arcs_scanned;
          if (!test_bit(visited_cols, col)) continue;
          proposals.push_back(
              {own, static_cast<std::uint32_t>(on.graph().column_original[columns.entry_of(col)])});
          break;
        }
      }
    });
  });
  return proposals;
}

void answer_and_compare(const GridGraph& on, const GatheredPieces& lists, const Word* visited_cols, Ask& ask,
                        Fold& fold) {
  const std::int64_t arcs_scanned = ask.answer(lists, visited_cols);
  std::int64_t expected_arcs = 0;
  for (std::size_t piece = 0; piece < lists.count(); ++piece) {
    const auto expected = obvious_answer(on, piece, lists.of(piece), visited_cols, expected_arcs);
    const std::span<const Proposal> proposed = fold.outgoing(piece);
    EXPECT_TRUE(std::ranges::equal(proposed, expected)) << "piece " << piece;
    const std::uint32_t first = on.graph().layout.row_offset[piece];
    for (const Proposal& proposal : expected) {
      EXPECT_TRUE(test_bit(fold.proposed(), first + proposal.target)) << "or it is proposed again";
    }
  }
  EXPECT_EQ(arcs_scanned, expected_arcs);
}

/// Whether lists were taken.
bool ask_and_compare(const GridGraph& on, InstructionSet set, const Drawn& visited) {
  const GridLayout& layout = on.graph().layout;
  Expand expand(on.graph(), on.built.grid.col_comm, FrontierForm::packed);
  Parents parents(on.graph());
  Fold fold(on.graph(), on.built.grid.row_comm, default_switches("hybrid"), {}, parents);
  Ask ask(on.graph(), on.built.grid.row_comm, asked_rows_step(set), fold);
  std::vector<Word> own = on.words(visited);
  const std::vector<Word> before = own;
  const auto is_left = [&](std::uint32_t t) { return !visited(on.original(t)) && !on.keeps(t, visited); };
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    if (!is_left(t)) set_bit(own, t);  // visited, or found by its owner
  }
  const GatheredPieces* const lists = ask.lists_if_shorter_than_ring(own);
  const std::int64_t taken = lists != nullptr ? 1 : 0;
  EXPECT_EQ(on.built.grid.row_comm.min(taken), on.built.grid.row_comm.max(taken));
  if (lists == nullptr) {
    std::vector<std::uint32_t> left;
    for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
      if (is_left(t)) left.push_back(t);
    }
    EXPECT_GT(on.built.grid.row_comm.sum(std::ssize(left)), 0) << "an empty list is always shorter";
    return false;
  }
  std::size_t bytes = 0;
  for (std::size_t piece = 0; piece < lists->count(); ++piece) bytes += lists->of(piece).size();
  EXPECT_LT(bytes, layout.row_words() * sizeof(Word));
  answer_and_compare(on, *lists, expand.visited(before), ask, fold);
  PhaseObserver nobody;
  fold.run(nobody, [&](std::uint32_t target) {
    if (test_bit(own, target)) return false;
    set_bit(own, target);
    return true;
  });
  for (std::uint32_t t = 0; t < layout.own_searched(); ++t) {
    const std::int64_t v = on.original(t);
    const bool asks = is_left(t) && test_bit(on.graph().hubs.has_others.span(), t);
    const bool is_found = asks && on.has_neighbour(v, visited);
    EXPECT_EQ(test_bit(own, t), !is_left(t) || is_found) << layout.shape.text() << " vertex " << v;
    if (!is_found) continue;
    const std::int64_t parent = parents.by_vertex()[t];
    EXPECT_TRUE(visited(parent) && on.are_neighbours(v, parent)) << layout.shape.text() << " vertex " << v;
  }
  return true;
}

TEST(Ask, FindsWhatAsksByAListWhereListsAreShorter) {
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    if (shape.cols == 1) continue;  // there are no hubs
    for (const Hypersparse hypersparse : {Hypersparse::never, Hypersparse::always}) {
      const GridGraph on(test::kronecker_graph(12, 16), shape, hypersparse);
      ASSERT_FALSE(on.graph().hubs.empty());
      for (const InstructionSet set : supported_instruction_sets()) {
        EXPECT_FALSE(ask_and_compare(on, set, {1, 0})) << "nearly all ask";
        EXPECT_TRUE(ask_and_compare(on, set, {2, 40}));
        EXPECT_TRUE(ask_and_compare(on, set, {2, 62}));
        EXPECT_TRUE(ask_and_compare(on, set, {3, 64})) << "nobody asks";
      }
    }
  }
}

}  // namespace
}  // namespace isobath
