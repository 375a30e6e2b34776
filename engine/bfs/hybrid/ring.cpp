// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/ring.hpp"

#include <algorithm>
#include <array>

#include "bfs/hybrid/found_rows.hpp"

namespace isobath {
namespace {

/// Rows that found a parent, and its column, as many as stay in the first-level cache until they are handed
/// in.
class FoundRows {
 public:
  void push(std::uint32_t row, std::uint32_t parent_col) {
    row_[count_] = row;
    parent_col_[count_++] = parent_col;
  }
  /// Whether all rows of one more word may have no room.
  bool is_full() const { return count_ + word_bits > row_.size(); }
  std::span<const std::uint32_t> rows() const { return std::span(row_).first(count_); }
  std::span<const std::uint32_t> parent_cols() const { return std::span(parent_col_).first(count_); }
  void clear() { count_ = 0; }

 private:
  std::array<std::uint32_t, 1024> row_;
  std::array<std::uint32_t, 1024> parent_col_;
  std::size_t count_ = 0;
};

std::size_t longest_half(const GridLayout& layout) {
  std::size_t longest = 0;
  for (std::size_t k = 0; k + 1 < layout.row_offset.size(); ++k) {
    longest = std::max<std::size_t>(longest, (layout.row_offset[k + 1] - layout.row_offset[k]) / word_bits);
  }
  return (longest + 1) / 2;
}

}  // namespace

/// With room for the longest half.
Ring::Half Ring::empty_half(const GridLayout& layout, const Communicator& row_comm, MessageTag tag) {
  return {LargeArray<Word>(longest_half(layout)), LargeArray<Word>(longest_half(layout)),
          PendingTransfer(row_comm, tag)};
}

Ring::Ring(const Graph& graph, const Communicator& row_comm, bool overlap, BottomUpSteps steps,
           RowNotes& notes, Fold& fold)
    : graph_(graph),
      overlap_(overlap),
      steps_(steps),
      notes_(notes),
      fold_(fold),
      shift_{1, overlap ? -1 : 1},
      halves_{empty_half(graph.layout, row_comm, MessageTag::ring_first),
              empty_half(graph.layout, row_comm, MessageTag::ring_second)},
      passed_over_(graph.hubs.empty() ? 0 : longest_half(graph.layout)),
      found_in_second_(static_cast<std::size_t>(graph.layout.shape.cols)) {}

std::int64_t Ring::rotate(const Word* visited_cols, std::span<Word> own, PhaseObserver& observer) {
  for (std::size_t half = 0; half < halves_.size(); ++half) {
    std::ranges::copy(own_half(own, half), halves_[half].on_arrival.begin());
  }
  std::int64_t arcs_scanned = 0;
  for (int step = 0; step < graph_.layout.shape.cols; ++step) {
    for (std::size_t half = 0; half < halves_.size(); ++half) {
      observer.phase(Phase::rotate);
      halves_[half].transfer.wait();  // started in the step before; none in the first
      observer.phase(Phase::bottom_up);
      const std::size_t piece = piece_at(half, step);
      arcs_scanned += graph_.has_hypersparse_rows ? search_listed(piece, half, visited_cols)
                                                  : search(piece, half, visited_cols);
      observer.phase(Phase::rotate);
      pass_on(half, step);
    }
  }
  for (std::size_t half = 0; half < halves_.size(); ++half) {
    halves_[half].transfer.wait();
    const std::span<Word> mine = own_half(own, half);
    std::copy_n(halves_[half].on_arrival.begin(), mine.size(), mine.begin());
  }
  for (std::size_t piece = 0; piece < found_in_second_.size(); ++piece) {
    fold_.append(piece, found_in_second_[piece]);
    found_in_second_[piece].clear();
  }
  return arcs_scanned;
}

Ring::HalfRange Ring::range_of(std::size_t piece, std::size_t half) const {
  const std::size_t first = graph_.layout.row_offset[piece] / word_bits;
  const std::size_t words = graph_.layout.row_offset[piece + 1] / word_bits - first;
  const std::size_t middle = words / 2;
  return half == 0 ? HalfRange{first, middle} : HalfRange{first + middle, words - middle};
}

std::span<Word> Ring::own_half(std::span<Word> own, std::size_t half) const {
  const auto piece = static_cast<std::size_t>(graph_.layout.grid_col());
  const HalfRange range = range_of(piece, half);
  return own.subspan(range.first - range_of(piece, 0).first, range.words);
}

/// The grid column whose owner's half is here at a step.
std::size_t Ring::piece_at(std::size_t half, int step) const {
  const int cols = graph_.layout.shape.cols;
  return static_cast<std::size_t>((((graph_.layout.grid_col() - shift_[half] * step) % cols) + cols) % cols);
}

/// Rows to skip here: visited ones, and those whose only neighbours on this rank are hubs that their owner
/// keeps. None of these hubs is visited, or the row would be: by this level's hub pass, or before. Valid
/// until the next call.
const Word* Ring::rows_to_pass_over(const HalfRange& range, const Half& here) {
  if (graph_.hubs.empty()) return here.on_arrival.data();
  const Word* const with_others = graph_.hubs.rows_with_others.data() + range.first;
  for (std::size_t w = 0; w < range.words; ++w) passed_over_[w] = here.on_arrival[w] | ~with_others[w];
  return passed_over_.data();
}

/// Looks for parents of a half that is here.
std::int64_t Ring::search(std::size_t piece, std::size_t half, const Word* visited_cols) {
  const HalfRange range = range_of(piece, half);
  const std::span<Word> by_first_neighbour = notes_.by_first_neighbour().subspan(range.first, range.words);
  std::ranges::fill(by_first_neighbour, Word{0});
  Half& here = halves_[half];
  const Word* const passed_over = rows_to_pass_over(range, here);
  const LevelCounts counts = bottom_up_by_team(
      steps_, {graph_, visited_cols, range.first, range.words, passed_over, here.on_leaving.data(),
               by_first_neighbour.data(), notes_.parent_col() + range.first * word_bits});
  // on_leaving has the rows of `passed_over`, too. It is to have what had arrived, and what was found here.
  for (std::size_t w = 0; w < range.words; ++w) {
    here.on_leaving[w] = here.on_arrival[w] | (here.on_leaving[w] & ~passed_over[w]);
  }
  propose_found(piece, half);
  return counts.arcs_scanned;
}

/// As search() and propose_found(), of hypersparse rows: those that ask are listed, for many words have none.
std::int64_t Ring::search_listed(std::size_t piece, std::size_t half, const Word* visited_cols) {
  const HalfRange range = range_of(piece, half);
  const std::size_t first_row = range.first * word_bits;
  Half& here = halves_[half];
  const Word* const passed_over = rows_to_pass_over(range, here);
  const std::span<Word> proposed = fold_.proposed().subspan(range.first, range.words);
  const std::span<const Word> existing = graph_.rows_with_arc().subspan(range.first, range.words);
  rows_.clear();
  for (std::size_t w = 0; w < range.words; ++w) {
    here.on_leaving[w] = here.on_arrival[w];
    proposed[w] |= here.on_arrival[w];  // visited: a later top-down level need not propose it
    for_each_bit(~passed_over[w] & existing[w], static_cast<std::uint32_t>(first_row + w * word_bits),
                 [&](std::uint32_t row) { rows_.push_back(row); });
  }
  parent_col_.resize(rows_.size());
  const LevelCounts counts =
      ask_rows_by_team(steps_.asked, {graph_, visited_cols, rows_, parent_col_.data()});
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (parent_col_[i] == graph_.layout.missing_col()) continue;
    set_bit(here.on_leaving.span(), rows_[i] - first_row);
    set_bit(proposed, rows_[i] - first_row);
    rows_[found] = rows_[i];
    parent_col_[found++] = parent_col_[i];
  }
  hand_in(piece, half, std::span(rows_).first(found), std::span(parent_col_).first(found));
  return counts.arcs_scanned;
}

void Ring::propose_found(std::size_t piece, std::size_t half) {
  const HalfRange range = range_of(piece, half);
  const Half& here = halves_[half];
  const std::span<Word> proposed = fold_.proposed().subspan(range.first, range.words);
  FoundRows found;
  for (std::size_t w = 0; w < range.words; ++w) {
    proposed[w] |= here.on_leaving[w];  // visited: a later top-down level need not propose it
    const auto first_row = static_cast<std::uint32_t>((range.first + w) * word_bits);
    for_each_bit(here.on_leaving[w] & ~here.on_arrival[w], first_row, [&](std::uint32_t row) {
      const bool by_first = test_bit(notes_.by_first_neighbour(), row);
      found.push(row, by_first ? graph_.plane[0][row] : notes_.parent_col()[row]);
    });
    if (!found.is_full()) continue;
    hand_in(piece, half, found.rows(), found.parent_cols());
    found.clear();
  }
  hand_in(piece, half, found.rows(), found.parent_cols());
}

/// Parents of own vertices are adopted, of first halves proposed, of second ones held back until all first
/// ones are proposed, so that targets ascend.
void Ring::hand_in(std::size_t piece, std::size_t half, std::span<const std::uint32_t> rows,
                   std::span<const std::uint32_t> parent_cols) {
  const std::uint32_t first_row = graph_.layout.row_offset[piece];
  if (piece == static_cast<std::size_t>(graph_.layout.grid_col())) {
    for_each_found(graph_, rows, parent_cols,
                   [first_row, adopt = fold_.adopter()](std::uint32_t row, std::uint32_t source) {
                     adopt(row - first_row, source);
                   });
  } else if (half == 0) {
    for_each_found(graph_, rows, parent_cols,
                   [&](std::uint32_t row, std::uint32_t source) { fold_.propose(piece, row, source); });
  } else {
    for_each_found(graph_, rows, parent_cols, [&](std::uint32_t row, std::uint32_t source) {
      found_in_second_[piece].push_back({row - first_row, source});
    });
  }
}

/// Starts to send the half that was searched to the next rank, and to receive that of the next step. After
/// the last step it is the own one, home again with all that was found for it.
void Ring::pass_on(std::size_t half, int step) {
  const int cols = graph_.layout.shape.cols;
  const int col = graph_.layout.grid_col();
  Half& here = halves_[half];
  const std::size_t leaving = range_of(piece_at(half, step), half).words;
  const std::size_t arriving = range_of(piece_at(half, step + 1), half).words;
  here.transfer.start<Word>(here.on_leaving.span().first(leaving), (col + shift_[half] + cols) % cols,
                            here.on_arrival.span().first(arriving), (col - shift_[half] + cols) % cols);
  if (!overlap_) here.transfer.wait();
}

}  // namespace isobath
