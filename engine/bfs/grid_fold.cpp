// SPDX-License-Identifier: Apache-2.0
// Fold of GridSearch: proposals travel along the grid row to the owners of their targets, which adopt them.
// Top-down on several grid columns stands here, because it is little else.
#include "bfs/grid_fold.hpp"

#include <algorithm>
#include <bit>

#include "base/threads.hpp"
#include "bfs/grid_search.hpp"

namespace isobath {

void GridSearch::pack_outgoing() {
  const GridLayout& layout = built_.graph.layout;
  const int source_bits = source_bits_of(layout, layout.grid_col());
  for (std::size_t col = 0; col < outgoing_.size(); ++col) {
    packed_[col].clear();
    if (switches_.fold == FoldForm::packed) pack_proposals(outgoing_[col], source_bits, packed_[col]);
  }
}

/// Of a level with few arcs, by one thread: proposals as they are met.
void GridSearch::propose_in_turn(std::span<const std::uint32_t> frontier) {
  const GridLayout& layout = built_.graph.layout;
  for (const std::uint32_t col : frontier) {
    const std::uint32_t source = built_.graph.column_original[col];
    for (const std::uint32_t row : built_.graph.by_source().of(col)) {
      if (test_bit(proposed_.span(), row)) continue;
      set_bit(proposed_.span(), row);
      const auto piece =
          static_cast<std::size_t>(std::upper_bound(layout.row_offset.begin(), layout.row_offset.end(), row) -
                                   layout.row_offset.begin() - 1);
      outgoing_[piece].push_back({row - layout.row_offset[piece], source});
    }
  }
}

/// Of a level with about an arc for each word of the rows, or more: every row met for the first time gets a
/// bit and a parent, and proposals are then read off in the order of the rows, in which they are packed.
void GridSearch::propose_by_bits(std::span<const std::uint32_t> frontier) {
  const GridLayout& layout = built_.graph.layout;
  const Rows& rows = built_.graph.by_source();
  const bool alone = max_threads() == 1;
  std::copy(proposed_.begin(), proposed_.end(), first_found_.begin());  // those of the levels before
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t k = 0; k < frontier.size(); ++k) {
    for (const std::uint32_t row : rows.of(frontier[k])) {
      if (alone) {
        Word& word = proposed_[row / word_bits];
        const Word bit = Word{1} << (row % word_bits);
        if ((word & bit) != 0) continue;
        word |= bit;
      } else if (!claim_bit(proposed_.span(), row)) {
        continue;
      }
      parent_col_[row] = frontier[k];
    }
  }
  for (std::size_t piece = 0; piece < outgoing_.size(); ++piece) {
    const std::size_t first = layout.row_offset[piece];
    for (std::size_t w = first / word_bits; w < layout.row_offset[piece + 1] / word_bits; ++w) {
      for (Word fresh = proposed_[w] & ~first_found_[w]; fresh != 0; fresh &= fresh - 1) {
        const std::size_t row = w * word_bits + static_cast<std::size_t>(std::countr_zero(fresh));
        outgoing_[piece].push_back(
            {static_cast<std::uint32_t>(row - first), built_.graph.column_original[parent_col_[row]]});
      }
    }
  }
}

std::int64_t GridSearch::top_down_several_columns(std::span<const std::uint32_t> frontier,
                                                  SearchObserver& observer) {
  for (auto& proposals : outgoing_) proposals.clear();
  if (arcs_before_.back() * static_cast<std::uint64_t>(max_threads()) < built_.graph.layout.row_words()) {
    propose_in_turn(frontier);
  } else {
    propose_by_bits(frontier);
  }
  // The first proposal that arrives wins, and makes the next frontier.
  frontier_size_ = 0;
  held_as_ = FrontierHeldAs::list;
  fold(observer, [this](const Proposal& proposal, std::int64_t base) {
    if (test_bit(visited_.span(), proposal.target)) return;
    set_bit(visited_.span(), proposal.target);
    frontier_[frontier_size_++] = proposal.target;
    parent_original_[proposal.target] = base + proposal.source;
  });
  remember_frontier();
  return static_cast<std::int64_t>(frontier_size_);
}

}  // namespace isobath
