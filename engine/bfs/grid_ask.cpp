// SPDX-License-Identifier: Apache-2.0
// Bottom-up of GridSearch on several grid columns, where owners have found nearly all by their hubs: who is
// left asks the grid row by a list, and is answered by proposals.
#include <algorithm>
#include <bit>
#include <numeric>

#include "base/threads.hpp"
#include "bfs/grid_fold.hpp"
#include "bfs/grid_search.hpp"

namespace isobath {

/// Packs the own vertices that are not reached and have neighbours that are no kept hubs. All ranks of the
/// grid row learn how long their lists are; none where the ring sends less, or a list is not worth writing.
std::vector<std::int64_t> GridSearch::lengths_of_asking(const Word* reached) {
  const GridLayout& layout = built_.graph.layout;
  const auto ring = static_cast<std::int64_t>(layout.row_words() * sizeof(Word));
  const Word* const has_others = built_.graph.hubs.has_others.data();
  const std::size_t words = layout.own_words();
  std::size_t asking = 0;
  for (std::size_t w = 0; w < words; ++w) {
    asking += static_cast<std::size_t>(std::popcount(~reached[w] & has_others[w]));
  }
  packed_list_.clear();
  std::int64_t length = ring;
  if (asking <= words * sizeof(Word)) {  // a byte each at the least
    asking_.clear();
    for (std::size_t w = 0; w < words; ++w) {
      for (Word left = ~reached[w] & has_others[w]; left != 0; left &= left - 1) {
        asking_.push_back(static_cast<std::uint32_t>(w * word_bits) +
                          static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
    pack_ascending(asking_, packed_list_);
    length = static_cast<std::int64_t>(packed_list_.size());
  }
  std::vector<std::int64_t> lengths = built_.grid.row_comm.allgather(length);
  if (std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) >= ring) lengths.clear();
  return lengths;
}

/// All lists of the grid row go to all its ranks; whoever knows a parent proposes it, and the owner takes the
/// first that arrives.
BottomUpCounts GridSearch::ask_row(const Word* reached, std::span<const std::int64_t> lengths,
                                   SearchObserver& observer) {
  const GridLayout& layout = built_.graph.layout;
  packed_lists_.resize(
      static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
  built_.grid.row_comm.allgatherv<std::byte>(packed_list_, lengths, packed_lists_);
  observer.phase(Phase::bottom_up);
  BottomUpCounts total;
  std::size_t at = 0;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    const auto k = static_cast<std::size_t>(piece);
    const auto bytes = static_cast<std::size_t>(lengths[k]);
    asking_.clear();
    unpack_ascending(std::span(packed_lists_).subspan(at, bytes), asking_);
    for (std::uint32_t& row : asking_) row += layout.row_offset[k];
    total.arcs_scanned += propose_asked(piece);
    at += bytes;
  }
  if (reached == visited_.data()) {
    std::copy_n(visited_.begin(), layout.own_words(), before_.begin());
  } else {
    std::swap(visited_, before_);  // the owner's pass wrote what is visited now into `before_`
  }
  fold(observer, [this](const Proposal& proposal, std::int64_t base) {
    if (test_bit(visited_.span(), proposal.target)) return;
    set_bit(visited_.span(), proposal.target);
    parent_original_[proposal.target] = base + proposal.source;
  });
  for (std::size_t w = 0; w < layout.own_words(); ++w)
    total.found += std::popcount(visited_[w] & ~before_[w]);
  return total;
}

/// Looks for parents of the rows in `asking_`, which are of one piece; returns the arcs scanned.
std::int64_t GridSearch::propose_asked(int piece) {
  const Word* const cols = built_.graph.layout.shape.rows > 1 ? visited_cols_.data() : visited_.data();
  const auto k = static_cast<std::size_t>(piece);
  const std::span<const std::uint32_t> rows = asking_;
  asked_parent_.resize(rows.size());
  std::int64_t arcs_scanned = 0;
  constexpr std::size_t worth_a_team = 4096;  // rows
#pragma omp parallel reduction(+ : arcs_scanned) if (rows.size() > worth_a_team)
  {
    const auto [begin, end] =
        static_share(static_cast<std::int64_t>(rows.size()), thread_id(), num_threads());
    const auto first = static_cast<std::size_t>(begin);
    arcs_scanned +=
        asked_rows_step_({built_.graph, cols, rows.subspan(first, static_cast<std::size_t>(end) - first),
                          asked_parent_.data() + first})
            .arcs_scanned;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (asked_parent_[i] == built_.graph.layout.missing_col()) continue;
    set_bit(proposed_.span(), rows[i]);
    outgoing_[k].push_back(
        {rows[i] - built_.graph.layout.row_offset[k], built_.graph.column_original[asked_parent_[i]]});
  }
  return arcs_scanned;
}

}  // namespace isobath
