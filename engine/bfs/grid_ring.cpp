// SPDX-License-Identifier: Apache-2.0
// Bottom-up of GridSearch on several grid columns. Owners find first what has a hub as parent. The own piece
// of the visited bitmap travels once round the grid row; whoever holds it looks for parents among its own
// columns, so that every target is found once. The piece travels in two halves, one each way where
// communication overlaps computation: while one half is searched, the other is on its way.
#include <algorithm>
#include <bit>

#include "bfs/grid_fold.hpp"
#include "bfs/grid_search.hpp"

namespace isobath {

GridSearch::HalfRange GridSearch::half_range(int piece, std::size_t half) const {
  const auto k = static_cast<std::size_t>(piece);
  const std::size_t first = built_.graph.layout.row_offset[k] / word_bits;
  const std::size_t words = built_.graph.layout.row_offset[k + 1] / word_bits - first;
  const std::size_t middle = words / 2;
  return half == 0 ? HalfRange{first, middle} : HalfRange{first + middle, words - middle};
}

/// Looks for parents of the half of piece `piece` that is here; returns the arcs scanned.
std::int64_t GridSearch::search_half(int piece, std::size_t half) {
  const HalfRange range = half_range(piece, half);
  const std::span<Word> first_found = first_found_.span().subspan(range.first, range.words);
  std::fill(first_found.begin(), first_found.end(), Word{0});
  Half& travelling = *halves_[half];
  const BottomUpCounts counts = bottom_up_words(range.first, range.words, travelling.visited_before.data(),
                                                travelling.visited_after.data(), first_found.data(),
                                                parent_col_.data() + range.first * word_bits);
  propose_found(piece, half);
  return counts.arcs_scanned;
}

void GridSearch::propose_found(int piece, std::size_t half) {
  const HalfRange range = half_range(piece, half);
  const Half& travelling = *halves_[half];
  const auto k = static_cast<std::size_t>(piece);
  const bool is_own = piece == built_.graph.layout.grid_col();
  const std::int64_t own_base = built_.graph.layout.blocks.first(built_.graph.layout.shape.rank_at(0, piece));
  std::vector<Proposal>& proposals = half == 0 ? outgoing_[k] : outgoing_second_[k];
  for (std::size_t w = 0; w < range.words; ++w) {
    proposed_[range.first + w] |=
        travelling.visited_after[w];  // visited: need not be proposed top-down either
    for (Word found = travelling.visited_after[w] & ~travelling.visited_before[w]; found != 0;
         found &= found - 1) {
      const auto row = static_cast<std::uint32_t>((range.first + w) * word_bits) +
                       static_cast<std::uint32_t>(std::countr_zero(found));
      const bool by_first = test_bit(first_found_.span(), row);
      const std::uint32_t parent = by_first ? built_.graph.plane[0][row] : parent_col_[row];
      const std::uint32_t target = row - built_.graph.layout.row_offset[k];
      const std::uint32_t source = built_.graph.column_original[parent];
      if (is_own) {
        parent_original_[target] = own_base + source;
      } else {
        proposals.push_back({target, source});
      }
    }
  }
}

/// The owner's pass, unless it would find nothing. Returns the own words that the ring begins with;
/// `visited_` stays what it was before the level.
const Word* GridSearch::find_by_hubs(SearchObserver& observer, std::int64_t& arcs_scanned) {
  if (!hub_pass_ || hub_pass_->is_over()) return visited_.data();
  observer.phase(Phase::hub_pass);
  hub_pass_->tell(visited_.data());
  arcs_scanned += hub_pass_->find(visited_.data(), before_.data(), parent_original_.data()).arcs_scanned;
  return before_.data();
}

BottomUpCounts GridSearch::bottom_up_several_columns(SearchObserver& observer) {
  for (auto& proposals : outgoing_) proposals.clear();
  std::int64_t arcs_scanned = 0;
  const Word* const begins = find_by_hubs(observer, arcs_scanned);
  std::vector<std::int64_t> lengths;
  if (hub_pass_) {
    observer.phase(Phase::rotate);
    lengths = lengths_of_asking(begins);
  }
  BottomUpCounts counts =
      lengths.empty() ? rotate_pieces(begins, observer) : ask_row(begins, lengths, observer);
  counts.arcs_scanned += arcs_scanned;
  return counts;
}

BottomUpCounts GridSearch::rotate_pieces(const Word* begins, SearchObserver& observer) {
  const GridLayout& layout = built_.graph.layout;
  const int cols = layout.shape.cols;
  const int col = layout.grid_col();
  // The first half travels to the right, the second to the left where both overlap, else to the right too.
  const int way[] = {1, switches_.overlap ? -1 : 1};
  const auto at_step = [&](std::size_t half, int step) {  // whose piece is here
    return (((col - way[half] * step) % cols) + cols) % cols;
  };
  for (auto& proposals : outgoing_second_) proposals.clear();
  BottomUpCounts total;
  for (std::size_t half = 0; half < 2; ++half) {
    const HalfRange own = half_range(col, half);
    const std::size_t offset = own.first - half_range(col, 0).first;
    std::copy_n(begins + offset, own.words, halves_[half]->visited_before.begin());
  }
  for (int step = 0; step < cols; ++step) {
    for (std::size_t half = 0; half < 2; ++half) {
      Half& travelling = *halves_[half];
      observer.phase(Phase::rotate);
      travelling.transfer.wait();  // of the step before
      observer.phase(Phase::bottom_up);
      total.arcs_scanned += search_half(at_step(half, step), half);
      observer.phase(Phase::rotate);
      const std::size_t leaving = half_range(at_step(half, step), half).words;
      const std::size_t arriving = half_range(at_step(half, step + 1), half).words;
      travelling.transfer.start<Word>(
          travelling.visited_after.span().first(leaving), (col + way[half] + cols) % cols,
          travelling.visited_before.span().first(arriving), (col - way[half] + cols) % cols);
      if (!switches_.overlap) travelling.transfer.wait();
    }
  }
  for (std::size_t half = 0; half < 2; ++half) {
    halves_[half]->transfer.wait();
    const HalfRange own = half_range(col, half);
    const std::size_t offset = own.first - half_range(col, 0).first;
    for (std::size_t w = 0; w < own.words; ++w) {
      before_[offset + w] = visited_[offset + w];
      visited_[offset + w] = halves_[half]->visited_before[w];
      total.found += std::popcount(visited_[offset + w] & ~before_[offset + w]);
    }
  }
  for (std::size_t k = 0; k < outgoing_.size(); ++k) {
    outgoing_[k].insert(outgoing_[k].end(), outgoing_second_[k].begin(), outgoing_second_[k].end());
  }
  // Each target was found by its proposer alone, and is marked already.
  fold(observer, [this](const Proposal& proposal, std::int64_t base) {
    parent_original_[proposal.target] = base + proposal.source;
  });
  return total;
}

}  // namespace isobath
