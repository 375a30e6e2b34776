// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/one_column.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/threads.hpp"
#include "bfs/hybrid/steps/top_down.hpp"

namespace isobath {
namespace {

/// One thread does a level of up to small_level_arcs arcs. Threads share a bitmap up to shared_level_arcs, or
/// up to as many arcs as the bitmap has words where that is more; beyond, copying it for every thread costs
/// less than sharing it.
constexpr std::uint64_t small_level_arcs = 2048;
constexpr std::uint64_t shared_level_arcs = 8192;

}  // namespace

OneColumn::OneColumn(const Graph& graph, BottomUpSteps steps)
    : graph_(graph),
      steps_(steps),
      shared_arcs_(std::max<std::uint64_t>(shared_level_arcs, graph.layout.own_words())),
      by_first_neighbour_(graph.layout.own_words()),
      parent_col_(graph.layout.own_words() * word_bits),
      followers_(graph.layout.own_words()),
      is_head_on_frontier_(graph.families.size()) {
  for (int t = 0; t < max_threads(); ++t) {
    thread_visited_.emplace_back(graph.layout.own_words());
    thread_found_.emplace_back(shared_arcs_);
  }
  fill_by_team(parent_col_.span(), 0U);
}

void OneColumn::reset() { clear_words(by_first_neighbour_.span()); }

FoundOneColumn OneColumn::found(std::span<const Word> visited, const Word* visited_cols) const {
  return {graph_, visited.data(), visited_cols, by_first_neighbour_.data(), parent_col_.data()};
}

/// The frontier's arcs laid one after the other: arcs before each column, and their sum. They are prefetched
/// on the way: where levels are small and many, waiting for them is most of the search.
void OneColumn::sum_arcs(std::span<const std::uint32_t> columns) {
  const Rows& rows = graph_.by_source();
  arcs_before_.resize(columns.size() + 1);
  arcs_before_[0] = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    rows.prefetch_neighbours(columns[i]);
    arcs_before_[i + 1] = arcs_before_[i] + rows.length(columns[i]);
  }
}

LevelCounts OneColumn::top_down(std::span<const std::uint32_t> columns, Frontier& frontier) {
  sum_arcs(columns);
  const std::uint64_t arcs = arcs_before_.back();
  if (arcs > shared_arcs_) return in_thread_bitmaps(columns, frontier);
  if (columns.data() == frontier.list().data()) {  // on one rank: what is found overwrites the list
    columns_.assign(columns.begin(), columns.end());
    columns = columns_;
  }
  return arcs <= small_level_arcs || max_threads() == 1 ? by_one_thread(columns, frontier)
                                                        : in_shared_bitmap(columns, frontier);
}

LevelCounts OneColumn::by_one_thread(std::span<const std::uint32_t> columns, Frontier& frontier) {
  const std::size_t found = top_down_small(graph_.by_source(), columns, frontier.visited().data(),
                                           parent_col_.data(), frontier.list_room());
  frontier.set_list(found);
  return {static_cast<std::int64_t>(found), static_cast<std::int64_t>(arcs_before_.back())};
}

/// What each thread finds goes behind what those before it found.
LevelCounts OneColumn::in_shared_bitmap(std::span<const std::uint32_t> columns, Frontier& frontier) {
  const std::uint64_t arcs = arcs_before_.back();
  std::vector<std::size_t> counts(static_cast<std::size_t>(max_threads()) + 1);
#pragma omp parallel
  {
    const auto me = static_cast<std::size_t>(thread_id());
    const auto team = static_cast<std::uint64_t>(num_threads());
    const ArcRange part{columns, arcs_before_, arcs * me / team, arcs * (me + 1) / team};
    std::uint32_t* const mine = thread_found_[me].data();
    const std::size_t count =
        claim_targets(graph_.by_source(), part, frontier.visited(), parent_col_.data(), mine);
    counts[me + 1] = count;
#pragma omp barrier
    const auto at =
        std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(me) + 1, std::size_t{0});
    std::copy_n(mine, count, frontier.list_room() + at);
  }
  const std::size_t found = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  frontier.set_list(found);
  return {static_cast<std::int64_t>(found), static_cast<std::int64_t>(arcs)};
}

/// Called by all threads of a region. Which families have their head on the frontier: a head may be another
/// rank's vertex, so it is looked for among the columns. These are distinct, so no two threads write one
/// family.
void OneColumn::find_heads(std::span<const std::uint32_t> columns) {
  const Families& families = graph_.families;
  if (families.empty()) return;
#pragma omp for schedule(static)
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Families::Members members = families.members(columns[i]);
    if (members.size() > 0) is_head_on_frontier_[members.family] = 1;
  }
}

/// Every thread marks targets in its own copy of the visited bitmap, in which the followers of heads on the
/// frontier are marked beforehand, so that propose_parents() passes over the arcs to them; then the copies
/// are merged, each thread a range of words. New followers have their head, their first neighbour, as parent:
/// their bits are added to those of earlier levels.
LevelCounts OneColumn::in_thread_bitmaps(std::span<const std::uint32_t> columns, Frontier& frontier) {
  const std::uint64_t arcs = arcs_before_.back();
  const std::size_t words = graph_.layout.own_words();
  const Word* const visited = frontier.visited().data();
  Word* const visited_after = frontier.visited_after().data();
  std::fill(is_head_on_frontier_.begin(), is_head_on_frontier_.end(), char{0});
  std::int64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    const auto me = static_cast<std::size_t>(thread_id());
    const auto team = static_cast<std::uint64_t>(num_threads());
    find_heads(columns);
    Word* const mine = thread_visited_[me].data();
    const auto [begin, end] = static_share(static_cast<std::int64_t>(words), thread_id(), num_threads());
    const auto first = static_cast<std::size_t>(begin);
    const auto after = static_cast<std::size_t>(end);
    graph_.families.mark_followers_of(first, after - first, is_head_on_frontier_, followers_.data() + first);
#pragma omp barrier
    for (std::size_t w = 0; w < words; ++w) mine[w] = visited[w] | followers_[w];
    const ArcRange part{columns, arcs_before_, arcs * me / team, arcs * (me + 1) / team};
    propose_parents(graph_.by_source(), graph_.families, part, mine, parent_col_.data());
#pragma omp barrier
    for (std::size_t w = first; w < after; ++w) {
      Word merged = thread_visited_[0][w];
      for (std::size_t t = 1; t < team; ++t) merged |= thread_visited_[t][w];
      visited_after[w] = merged;
      by_first_neighbour_[w] |= followers_[w] & ~visited[w];
      found += std::popcount(merged & ~visited[w]);
    }
  }
  frontier.advance();
  return {found, static_cast<std::int64_t>(arcs)};
}

LevelCounts OneColumn::bottom_up(const Word* visited_cols, Frontier& frontier) {
  const LevelCounts counts = bottom_up_by_team(steps_, {.graph = graph_,
                                                        .visited_cols = visited_cols,
                                                        .first_row_word = 0,
                                                        .words = graph_.layout.own_words(),
                                                        .visited = frontier.visited().data(),
                                                        .visited_after = frontier.visited_after().data(),
                                                        .by_first_neighbour = by_first_neighbour_.data(),
                                                        .parent_col = parent_col_.data()});
  frontier.advance();
  return counts;
}

}  // namespace isobath
