// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/ask.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "bfs/hybrid/found_rows.hpp"

namespace isobath {

Ask::Ask(const Graph& graph, const Communicator& row_comm, AskedRowsStep step, Fold& fold)
    : graph_(graph), step_(step), fold_(fold), lists_(row_comm) {}

/// Packs the own vertices that ask: not visited, and with neighbours other than the hubs kept for them (those
/// the owner has tried). False, and nothing is packed, where even a byte for each is longer than the own
/// bitmap.
bool Ask::pack_askers(std::span<const Word> visited) {
  const Word* const has_others = graph_.hubs.has_others.data();
  const std::size_t words = graph_.layout.own_words();
  std::size_t asking = 0;
  for (std::size_t w = 0; w < words; ++w) {
    asking += static_cast<std::size_t>(std::popcount(~visited[w] & has_others[w]));
  }
  rows_.clear();
  packed_.clear();
  if (asking > words * sizeof(Word)) return false;
  for (std::size_t w = 0; w < words; ++w) {
    for_each_bit(~visited[w] & has_others[w], static_cast<std::uint32_t>(w * word_bits),
                 [&](std::uint32_t own) { rows_.push_back(own); });
  }
  pack_ascending(rows_, packed_);
  return true;
}

const GatheredPieces* Ask::lists_if_shorter_than_ring(std::span<const Word> visited) {
  const auto ring = static_cast<std::int64_t>(graph_.layout.row_words() * sizeof(Word));
  const bool has_list = pack_askers(visited);
  lists_.tell(packed_, has_list ? by_list : by_ring);
  bool all_have_lists = true;
  for (std::size_t rank = 0; rank < lists_.count(); ++rank) {
    all_have_lists = all_have_lists && lists_.form_of(rank) == by_list;
  }
  if (!all_have_lists || lists_.total_bytes() >= ring) return nullptr;
  lists_.bring();
  return &lists_;
}

/// Unpacks the rows of a piece that ask, and drops those whose only neighbours on this rank are hubs that
/// their owner keeps: none of these is visited (Ring::rows_to_pass_over).
void Ask::take_rows(std::size_t piece, std::span<const std::byte> list) {
  const Word* const with_others = graph_.hubs.rows_with_others.data();
  const std::uint32_t first = graph_.layout.row_offset[piece];
  rows_.clear();
  unpack_ascending(list, rows_);
  std::size_t taken = 0;  // rows are kept without a branch
  for (const std::uint32_t own : rows_) {
    rows_[taken] = first + own;
    taken += test_bit(with_others, first + own) ? 1U : 0U;
  }
  rows_.resize(taken);
}

/// Proposes a parent for the rows of a piece that have one in parent_col_.
void Ask::propose_parents(std::size_t piece) {
  const std::uint32_t missing = graph_.layout.missing_col();
  std::size_t count = 0;  // kept without a branch, too
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[count] = rows_[i];
    parent_col_[count] = parent_col_[i];
    count += parent_col_[i] != missing ? 1U : 0U;
  }
  for_each_found(graph_, std::span(rows_).first(count), std::span(parent_col_).first(count),
                 [&](std::uint32_t row, std::uint32_t source) { fold_.propose(piece, row, source); });
}

std::int64_t Ask::answer(const GatheredPieces& lists, const Word* visited_cols) {
  std::int64_t arcs_scanned = 0;
  for (std::size_t piece = 0; piece < lists.count(); ++piece) {
    take_rows(piece, lists.of(piece));
    parent_col_.resize(rows_.size());
    arcs_scanned += ask_rows_by_team(step_, {graph_, visited_cols, rows_, parent_col_.data()}).arcs_scanned;
    propose_parents(piece);
  }
  return arcs_scanned;
}

}  // namespace isobath
