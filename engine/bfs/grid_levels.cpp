// SPDX-License-Identifier: Apache-2.0
// The two kinds of level of GridSearch. "Here": all arcs of own targets are stored on this rank (one grid
// column), so nothing is folded; "afar": parents are proposed along the grid row to the owners of their
// targets.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/threads.hpp"
#include "bfs/grid_search.hpp"
#include "bfs/top_down.hpp"

namespace isobath {
namespace {

/// Frontier arcs below which one thread does the whole level.
constexpr std::uint64_t small_level_arcs = 8192;

/// The frontier's arcs laid one after the other: arcs before each row, and their sum.
void sum_arcs(const Rows& rows, std::span<const std::uint32_t> frontier, std::vector<std::uint64_t>& before) {
  before.resize(frontier.size() + 1);
  before[0] = 0;
  for (std::size_t i = 0; i < frontier.size(); ++i) before[i + 1] = before[i] + rows.length(frontier[i]);
}

}  // namespace

/// Expand: the frontier of the whole grid column, as columns. On one grid row it is the own list, not a copy.
std::span<const std::uint32_t> GridSearch::expand_frontier(SearchObserver& observer) {
  const std::span<std::uint32_t> own = frontier_.span().first(frontier_size_);
  if (graph_.layout.shape.rows == 1) return own;
  observer.phase(Phase::expand);
  std::vector<std::uint32_t> mine(own.begin(), own.end());
  for (std::uint32_t& vertex : mine) vertex += graph_.layout.own_col();
  expanded_ = grid_.col_comm.allgatherv<std::uint32_t>(mine);
  return expanded_;
}

std::int64_t GridSearch::top_down(SearchObserver& observer) {
  const std::span<const std::uint32_t> frontier = expand_frontier(observer);
  observer.phase(Phase::top_down);
  sum_arcs(graph_.by_source(), frontier, arcs_before_);
  arcs_scanned_ = static_cast<std::int64_t>(arcs_before_.back());
  return graph_.layout.rows_are_complete() ? top_down_here(frontier) : top_down_afar(frontier, observer);
}

std::int64_t GridSearch::top_down_small_here(std::span<const std::uint32_t> frontier) {
  std::vector<std::uint32_t>& copy = expanded_;  // the next list overwrites the own one
  if (frontier.data() != copy.data()) copy.assign(frontier.begin(), frontier.end());
  frontier_size_ =
      top_down_small(graph_.by_source(), copy, visited_.data(), parent_col_.data(), frontier_.data());
  form_ = FrontierForm::list;
  remember_frontier();
  return static_cast<std::int64_t>(frontier_size_);
}

/// Every thread marks in a copy of its own; the copies are merged by ranges of words.
std::int64_t GridSearch::top_down_here(std::span<const std::uint32_t> frontier) {
  const std::uint64_t arcs = arcs_before_.back();
  if (arcs <= small_level_arcs) return top_down_small_here(frontier);
  const Rows& rows = graph_.by_source();
  const std::size_t words = graph_.layout.own_words();
  std::int64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    const auto me = static_cast<std::size_t>(thread_id());
    const auto team = static_cast<std::uint64_t>(num_threads());
    Word* const mine = thread_visited_[me].data();
    std::memcpy(mine, visited_.data(), words * sizeof(Word));
    const ArcRange part{frontier, arcs_before_, arcs * me / team, arcs * (me + 1) / team};
    propose_parents(rows, part, mine, parent_col_.data());
#pragma omp barrier
    const auto [begin, end] = static_share(static_cast<std::int64_t>(words), thread_id(), num_threads());
    for (auto w = static_cast<std::size_t>(begin); w < static_cast<std::size_t>(end); ++w) {
      Word merged = thread_visited_[0][w];
      for (std::size_t t = 1; t < team; ++t) merged |= thread_visited_[t][w];
      before_[w] = visited_[w];
      visited_[w] = merged;
      found += std::popcount(merged & ~before_[w]);
    }
  }
  form_ = FrontierForm::bitmaps;
  return found;
}

std::int64_t GridSearch::top_down_afar(std::span<const std::uint32_t> frontier, SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const Rows& rows = graph_.by_source();
  const auto pieces = static_cast<std::size_t>(layout.shape.cols);
  std::vector<std::vector<Proposal>> outgoing(pieces);
#pragma omp parallel
  {
    std::vector<std::vector<Proposal>> mine(pieces);
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < frontier.size(); ++k) {
      const std::uint32_t source = graph_.column_original[frontier[k]];
      for (const std::uint32_t row : rows.of(frontier[k])) {
        if (!claim_bit(proposed_.span(), row)) continue;
        const auto piece = static_cast<std::size_t>(
            std::upper_bound(layout.row_offset.begin(), layout.row_offset.end(), row) -
            layout.row_offset.begin() - 1);
        mine[piece].push_back({row - layout.row_offset[piece], source});
      }
    }
#pragma omp critical
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      outgoing[piece].insert(outgoing[piece].end(), mine[piece].begin(), mine[piece].end());
    }
  }
  adopt(outgoing, false, observer);
  return static_cast<std::int64_t>(frontier_size_);
}

/// Fold and adopt: proposals travel to the owners of their targets. Top-down, the first one wins and makes
/// the next frontier; bottom-up the target was found by its proposer alone, and is marked already.
void GridSearch::adopt(std::span<const std::vector<Proposal>> outgoing, bool bottom_up,
                       SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  std::vector<Proposal> send;
  std::vector<std::int64_t> counts;
  for (const auto& proposals : outgoing) {
    send.insert(send.end(), proposals.begin(), proposals.end());
    counts.push_back(static_cast<std::int64_t>(proposals.size()));
  }
  observer.phase(Phase::count);
  const ExchangeCounts plan = grid_.row_comm.exchange_counts(counts);
  observer.phase(Phase::fold);
  std::vector<Proposal> received(static_cast<std::size_t>(plan.receive_total));
  grid_.row_comm.alltoallv<Proposal>(send, plan, received);
  observer.phase(Phase::adopt);
  if (!bottom_up) {
    frontier_size_ = 0;
    form_ = FrontierForm::list;
  }
  for (int col = 0; col < layout.shape.cols; ++col) {
    const std::int64_t base = layout.blocks.first(layout.shape.rank_at(0, col));
    const auto first = static_cast<std::size_t>(plan.receive_offsets[static_cast<std::size_t>(col)]);
    const auto count = static_cast<std::size_t>(plan.receive_counts[static_cast<std::size_t>(col)]);
    for (const Proposal& proposal : std::span(received).subspan(first, count)) {
      if (!bottom_up) {
        if (test_bit(visited_.span(), proposal.target)) continue;
        set_bit(visited_.span(), proposal.target);
        frontier_[frontier_size_++] = proposal.target;
      }
      parent_afar_[proposal.target] = base + proposal.source;
    }
  }
  if (!bottom_up) remember_frontier();
}

/// What is visited in the whole grid column.
void GridSearch::expand_visited() {
  const GridLayout& layout = graph_.layout;
  std::vector<std::int64_t> counts;
  for (std::size_t k = 0; k < static_cast<std::size_t>(layout.shape.rows); ++k) {
    counts.push_back((layout.col_offset[k + 1] - layout.col_offset[k]) /
                     static_cast<std::int64_t>(word_bits));
  }
  grid_.col_comm.allgatherv<Word>(visited_.span().first(layout.own_words()), counts,
                                  visited_cols_.span().first(layout.num_cols() / word_bits));
}

std::int64_t GridSearch::bottom_up(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  if (layout.shape.rows > 1) {
    observer.phase(Phase::expand);
    expand_visited();
  }
  const BottomUpCounts counts =
      layout.rows_are_complete() ? bottom_up_here(observer) : bottom_up_afar(observer);
  arcs_scanned_ = counts.arcs_scanned;
  form_ = FrontierForm::bitmaps;
  return counts.found;
}

/// All threads over a range of rows; small dynamic parts, since hubs make rows uneven.
BottomUpCounts GridSearch::bottom_up_words(std::size_t first_row_word, std::size_t words, const Word* visited,
                                           Word* next, Word* first_found, std::uint32_t* parent_col) {
  const Word* const cols = graph_.layout.shape.rows > 1 ? visited_cols_.data() : visited_.data();
  constexpr std::size_t part = 256;
  const std::size_t parts = (words + part - 1) / part;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found, scanned)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * part;
    const BottomUpCounts counts =
        bottom_up_step_({graph_, cols, first_row_word + first, std::min(part, words - first), visited + first,
                         next + first, first_found + first, parent_col + first * word_bits});
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

BottomUpCounts GridSearch::bottom_up_here(SearchObserver& observer) {
  observer.phase(Phase::bottom_up);
  const BottomUpCounts counts = bottom_up_words(0, graph_.layout.own_words(), visited_.data(), before_.data(),
                                                first_found_.data(), parent_col_.data());
  std::swap(visited_, before_);  // the step wrote what is visited now into `before_`
  return counts;
}

/// The own piece of the visited bitmap travels once round the grid row; whoever holds it looks for parents
/// among its own columns, so that every target is found once.
BottomUpCounts GridSearch::bottom_up_afar(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const int cols = layout.shape.cols;
  const int col = layout.grid_col();
  std::vector<std::vector<Proposal>> outgoing(static_cast<std::size_t>(cols));
  BottomUpCounts total;
  std::copy_n(visited_.begin(), layout.own_words(), piece_.begin());
  for (int step = 0; step < cols; ++step) {
    observer.phase(Phase::bottom_up);
    const int piece = (col - step + cols) % cols;
    const auto k = static_cast<std::size_t>(piece);
    const std::size_t first = layout.row_offset[k] / word_bits;
    const std::size_t words = layout.row_offset[k + 1] / word_bits - first;
    std::fill_n(first_found_.begin(), words, Word{0});
    std::uint32_t* const parents = parent_col_.data() + layout.row_offset[k];
    const BottomUpCounts counts =
        bottom_up_words(first, words, piece_.data(), piece_next_.data(), first_found_.data(), parents);
    total.arcs_scanned += counts.arcs_scanned;
    for (std::size_t w = 0; w < words; ++w) {
      for (Word found = piece_next_[w] & ~piece_[w]; found != 0; found &= found - 1) {
        const auto target =
            static_cast<std::uint32_t>(w * word_bits) + static_cast<std::uint32_t>(std::countr_zero(found));
        const bool by_first = test_bit(first_found_.span(), target);
        const std::uint32_t parent =
            by_first ? graph_.plane[0][layout.row_offset[k] + target] : parents[target];
        outgoing[k].push_back({target, graph_.column_original[parent]});
      }
    }
    observer.phase(Phase::rotate);
    const int arriving = (col - step - 1 + 2 * cols) % cols;
    const auto a = static_cast<std::size_t>(arriving);
    const std::size_t arriving_words = (layout.row_offset[a + 1] - layout.row_offset[a]) / word_bits;
    grid_.row_comm.send_receive<Word>(piece_next_.span().first(words), (col + 1) % cols,
                                      piece_.span().first(arriving_words), (col - 1 + cols) % cols);
  }
  for (std::size_t w = 0; w < layout.own_words(); ++w) {
    before_[w] = visited_[w];
    visited_[w] = piece_[w];
    total.found += std::popcount(visited_[w] & ~before_[w]);
  }
  adopt(outgoing, true, observer);
  return total;
}

}  // namespace isobath
