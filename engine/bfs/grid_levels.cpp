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

std::int64_t GridSearch::top_down(std::span<const std::uint32_t> frontier, SearchObserver& observer) {
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
  held_as_ = FrontierHeldAs::list;
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
  held_as_ = FrontierHeldAs::bitmaps;
  return found;
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
  held_as_ = FrontierHeldAs::bitmaps;
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

}  // namespace isobath
