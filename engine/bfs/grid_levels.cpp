// SPDX-License-Identifier: Apache-2.0
// The two kinds of level of GridSearch. One grid column: all arcs of own targets are stored on this rank,
// which finds their parents itself. Several: whoever finds a parent proposes it along the grid row to the
// owner of the target. docs/reference/search-vocabulary.md
#include <algorithm>
#include <bit>
#include <numeric>

#include "base/threads.hpp"
#include "bfs/grid_search.hpp"
#include "bfs/top_down.hpp"

namespace isobath {
namespace {

/// Frontier arcs up to which one thread does the whole level, and up to which threads share a bitmap, at
/// least: beyond, every thread has a copy of the bitmap.
constexpr std::uint64_t small_level_arcs = 2048;
constexpr std::uint64_t shared_level_arcs = 8192;

/// The frontier's arcs laid one after the other: arcs before each row, and their sum. Rows are asked for on
/// the way: where levels are small and many, waiting for them is most of the search.
void sum_arcs(const Rows& rows, std::span<const std::uint32_t> frontier, std::vector<std::uint64_t>& before) {
  before.resize(frontier.size() + 1);
  before[0] = 0;
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    __builtin_prefetch(rows.neighbour.data() + rows.start[frontier[i]]);
    before[i + 1] = before[i] + rows.length(frontier[i]);
  }
}

/// Whether less than one row in sixteen of a range is unvisited.
bool few_ask(const BottomUpRange& range) {
  constexpr std::size_t most_of_word = word_bits / 16;
  std::size_t asking = 0;
  for (std::size_t w = 0; w < range.words; ++w) {
    const Word has_arc = range.graph.has_arc[range.first_row_word + w];
    asking += static_cast<std::size_t>(std::popcount(~range.visited[w] & has_arc));
  }
  return asking < range.words * most_of_word;
}

}  // namespace

/// A copy of the bitmap pays once there is an arc for each of its words.
std::uint64_t GridSearch::shared_arcs() const {
  return std::max<std::uint64_t>(shared_level_arcs, built_.graph.layout.own_words());
}

std::int64_t GridSearch::top_down(std::span<const std::uint32_t> frontier, SearchObserver& observer) {
  observer.phase(Phase::top_down);
  sum_arcs(built_.graph.by_source(), frontier, arcs_before_);
  arcs_scanned_ = static_cast<std::int64_t>(arcs_before_.back());
  return built_.graph.layout.rows_are_complete() ? top_down_one_column(frontier)
                                                 : top_down_several_columns(frontier, observer);
}

std::int64_t GridSearch::top_down_small_one_column(std::span<const std::uint32_t> frontier) {
  std::vector<std::uint32_t>& copy = expanded_;  // the next list overwrites the own one
  if (frontier.data() != copy.data()) copy.assign(frontier.begin(), frontier.end());
  frontier_size_ =
      top_down_small(built_.graph.by_source(), copy, visited_.data(), parent_col_.data(), frontier_.data());
  held_as_ = FrontierHeldAs::list;
  remember_frontier();
  return static_cast<std::int64_t>(frontier_size_);
}

/// All threads in one bitmap; what each finds goes behind what those before it found.
std::int64_t GridSearch::top_down_shared_one_column(std::span<const std::uint32_t> frontier) {
  std::vector<std::uint32_t>& copy = expanded_;
  if (frontier.data() != copy.data()) copy.assign(frontier.begin(), frontier.end());
  const std::uint64_t arcs = arcs_before_.back();
  std::vector<std::size_t>& before = listed_before_;
  std::fill(before.begin(), before.end(), 0);
#pragma omp parallel
  {
    const auto me = static_cast<std::size_t>(thread_id());
    const auto team = static_cast<std::uint64_t>(num_threads());
    const ArcRange part{copy, arcs_before_, arcs * me / team, arcs * (me + 1) / team};
    std::uint32_t* const found = thread_found_[me].data();
    const std::size_t count =
        claim_targets(built_.graph.by_source(), part, visited_.span(), parent_col_.data(), found);
    before[me + 1] = count;
#pragma omp barrier
    std::size_t at = 0;
    for (std::size_t t = 1; t <= me; ++t) at += before[t];
    std::copy_n(found, count, frontier_.begin() + at);
  }
  frontier_size_ = std::accumulate(before.begin(), before.end(), std::size_t{0});
  held_as_ = FrontierHeldAs::list;
  remember_frontier();
  return static_cast<std::int64_t>(frontier_size_);
}

/// Every thread marks in a copy of its own, in which the followers of visited heads are marked already; the
/// copies are merged by ranges of words. What is found and follows a visited head has it as parent: its head
/// is on the last level, else it had been found before.
std::int64_t GridSearch::top_down_one_column(std::span<const std::uint32_t> frontier) {
  const std::uint64_t arcs = arcs_before_.back();
  const bool is_small = arcs <= shared_arcs();
  if (is_small && (arcs <= small_level_arcs || max_threads() == 1))
    return top_down_small_one_column(frontier);
  if (is_small) return top_down_shared_one_column(frontier);
  const Rows& rows = built_.graph.by_source();
  const std::size_t words = built_.graph.layout.own_words();
  std::int64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    const auto me = static_cast<std::size_t>(thread_id());
    const auto team = static_cast<std::uint64_t>(num_threads());
    Word* const mine = thread_visited_[me].data();
    const auto [begin, end] = static_share(static_cast<std::int64_t>(words), thread_id(), num_threads());
    const auto first = static_cast<std::size_t>(begin);
    const auto after = static_cast<std::size_t>(end);
    built_.graph.families.mark_followers(first, after - first, visited_.data(), followers_.data() + first);
#pragma omp barrier
    for (std::size_t w = 0; w < words; ++w) mine[w] = visited_[w] | followers_[w];
    const ArcRange part{frontier, arcs_before_, arcs * me / team, arcs * (me + 1) / team};
    propose_parents(rows, built_.graph.families, part, mine, parent_col_.data());
#pragma omp barrier
    for (std::size_t w = first; w < after; ++w) {
      Word merged = thread_visited_[0][w];
      for (std::size_t t = 1; t < team; ++t) merged |= thread_visited_[t][w];
      before_[w] = visited_[w];
      visited_[w] = merged;
      first_found_[w] |= followers_[w] & merged & ~before_[w];
      found += std::popcount(merged & ~before_[w]);
    }
  }
  hold_as_bitmaps();
  return found;
}

std::int64_t GridSearch::bottom_up(SearchObserver& observer) {
  const GridLayout& layout = built_.graph.layout;
  if (layout.shape.rows > 1) {
    observer.phase(Phase::expand);
    expand_visited();
  }
  const BottomUpCounts counts =
      layout.rows_are_complete() ? bottom_up_one_column(observer) : bottom_up_several_columns(observer);
  arcs_scanned_ = counts.arcs_scanned;
  hold_as_bitmaps();
  return counts.found;
}

/// All threads over a range of rows; small dynamic parts, since hubs make rows uneven. Where owners asked
/// their hubs before, few rows are left.
BottomUpCounts GridSearch::bottom_up_words(std::size_t first_row_word, std::size_t words, const Word* visited,
                                           Word* next, Word* first_found, std::uint32_t* parent_col) {
  const Word* const cols = built_.graph.layout.shape.rows > 1 ? visited_cols_.data() : visited_.data();
  constexpr std::size_t part = words_at_once;
  const std::size_t parts = (words + part - 1) / part;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found, scanned)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * part;
    const BottomUpRange range{
        built_.graph,    cols,         first_row_word + first, std::min(part, words - first),
        visited + first, next + first, first_found + first,    parent_col + first * word_bits};
    const BottomUpCounts counts =
        hub_pass_ && few_ask(range) ? bottom_up_few_step_(range) : bottom_up_step_(range);
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

BottomUpCounts GridSearch::bottom_up_one_column(SearchObserver& observer) {
  observer.phase(Phase::bottom_up);
  const BottomUpCounts counts = bottom_up_words(0, built_.graph.layout.own_words(), visited_.data(),
                                                before_.data(), first_found_.data(), parent_col_.data());
  std::swap(visited_, before_);  // the step wrote what is visited now into `before_`
  return counts;
}

}  // namespace isobath
