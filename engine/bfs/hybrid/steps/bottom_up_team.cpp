// SPDX-License-Identifier: Apache-2.0
// Bottom-up steps, that of the hub pass too, by all threads.
#include <algorithm>
#include <bit>

#include "base/threads.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"

namespace isobath {
namespace {

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

/// All threads in parts of words_at_once. @param step  step(first, words): the part that begins there
template <class Step>
LevelCounts by_parts(std::size_t all_words, Step&& step) {
  const std::size_t parts = (all_words + words_at_once - 1) / words_at_once;
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found, scanned)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * words_at_once;
    const LevelCounts counts = step(first, std::min(words_at_once, all_words - first));
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

}  // namespace

LevelCounts bottom_up_by_team(const BottomUpSteps& steps, const BottomUpRange& range) {
  return by_parts(range.words, [&](std::size_t first, std::size_t words) {
    const BottomUpRange part{range.graph,
                             range.visited_cols,
                             range.first_row_word + first,
                             words,
                             range.visited + first,
                             range.visited_after + first,
                             range.by_first_neighbour + first,
                             range.parent_col + first * word_bits};
    return steps.few != nullptr && few_ask(part) ? steps.few(part) : steps.step(part);
  });
}

LevelCounts find_by_hubs_by_team(HubPassStep step, const HubPassRange& range) {
  return by_parts(range.words, [&](std::size_t first, std::size_t words) {
    return step({range.hubs, range.visited_hubs, range.first_word + first, words, range.visited + first,
                 range.visited_after + first, range.by_first_hub + first, range.parents});
  });
}

LevelCounts ask_rows_by_team(AskedRowsStep step, const AskedRows& asked) {
  constexpr std::size_t worth_a_team = 4096;  // rows
  std::int64_t found = 0;
  std::int64_t scanned = 0;
#pragma omp parallel reduction(+ : found, scanned) if (asked.rows.size() > worth_a_team)
  {
    const auto [begin, end] =
        static_share(static_cast<std::int64_t>(asked.rows.size()), thread_id(), num_threads());
    const auto first = static_cast<std::size_t>(begin);
    const LevelCounts counts =
        step({asked.graph, asked.visited_cols,
              asked.rows.subspan(first, static_cast<std::size_t>(end) - first), asked.parent_col + first});
    found += counts.found;
    scanned += counts.arcs_scanned;
  }
  return {found, scanned};
}

}  // namespace isobath
