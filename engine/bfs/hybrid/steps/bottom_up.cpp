// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/bottom_up.hpp"

#include <bit>

#include "base/expects.hpp"
#include "bfs/hybrid/steps/rows_in_batches.hpp"

namespace isobath {
namespace {

/// Place of the first visited neighbour in neighbours[0 .. count), or count.
std::uint64_t first_visited(const std::uint32_t* neighbours, std::uint64_t count, const Word* visited) {
  std::uint64_t at = 0;
  while (at < count && !test_bit(visited, neighbours[at])) ++at;
  return at;
}

}  // namespace

/// As it is published: rows alone, no planes.
LevelCounts bottom_up_rows(const BottomUpRange& range) {
  const Graph& graph = range.graph;
  LevelCounts counts;
  for (std::size_t w = 0; w < range.words; ++w) {
    Word found = 0;
    const Word unvisited = ~range.visited[w] & graph.has_arc[range.first_row_word + w];
    for_each_bit(unvisited, w * word_bits, [&](std::size_t local) {
      for (const std::uint32_t col : graph.by_target.of(range.first_row_word * word_bits + local)) {
        ++counts.arcs_scanned;
        if (!test_bit(range.visited_cols, col)) continue;
        range.parent_col[local] = col;
        found |= Word{1} << (local % word_bits);
        break;
      }
    });
    range.visited_after[w] = range.visited[w] | found;
    counts.found += std::popcount(found);
  }
  return counts;
}

LevelCounts bottom_up_portable(const BottomUpRange& range) {
  ISOBATH_EXPECTS(range.words <= words_at_once);
  const Graph& graph = range.graph;
  LevelCounts counts;
  WaitingRows late;
  const auto first_row = static_cast<std::uint32_t>(range.first_row_word * word_bits);
  const auto scan_rest = [&](std::uint32_t row) {
    const std::uint64_t end = graph.by_target.start[row + 1];
    for (std::uint64_t at = graph.by_target.start[row] + num_planes; at < end; ++at) {
      ++counts.arcs_scanned;
      const std::uint32_t col = graph.by_target.neighbour[at];
      if (!test_bit(range.visited_cols, col)) continue;
      const std::uint32_t local = row - first_row;
      range.parent_col[local] = col;
      range.visited_after[local / word_bits] |= Word{1} << (local % word_bits);
      ++counts.found;
      return;
    }
  };
  Word followers[words_at_once];
  graph.families.mark_followers(range.first_row_word, range.words, range.visited_cols, followers);
  for (std::size_t w = 0; w < range.words; ++w) {
    const Word visited = range.visited[w];
    Word unvisited = ~visited & graph.has_arc[range.first_row_word + w];
    const Word more = graph.has_more[range.first_row_word + w];
    Word first = unvisited & followers[w];  // found by their first neighbour
    Word found = first;
    counts.arcs_scanned += std::popcount(first);
    unvisited &= ~first;
    for (; unvisited != 0; unvisited &= unvisited - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(unvisited));
      const auto local = static_cast<std::uint32_t>(w * word_bits) + bit;
      const std::uint32_t row = first_row + local;
      std::size_t k = 0;
      while (k < num_planes && !test_bit(range.visited_cols, graph.plane[k][row])) ++k;
      counts.arcs_scanned += static_cast<std::int64_t>(k < num_planes ? k + 1 : k);
      if (k == num_planes) {
        if ((more >> bit & 1U) != 0) late.push(row);
        continue;
      }
      found |= Word{1} << bit;
      if (k == 0) {
        first |= Word{1} << bit;
      } else {
        range.parent_col[local] = graph.plane[k][row];
      }
    }
    range.visited_after[w] = visited | found;
    range.by_first_neighbour[w] |= first;
    counts.found += std::popcount(found);
    if (late.is_full()) late.drain(graph.by_target, num_planes, scan_rest);
  }
  late.drain(graph.by_target, num_planes, scan_rest);
  return counts;
}

LevelCounts bottom_up_few_portable(const BottomUpRange& range) {
  return ask_few_rows(range, [&](const std::uint32_t* neighbours, std::uint64_t count) {
    return first_visited(neighbours, count, range.visited_cols);
  });
}

LevelCounts ask_rows_portable(const AskedRows& asked) {
  return ask_listed_rows(asked, [&](const std::uint32_t* neighbours, std::uint64_t count) {
    return first_visited(neighbours, count, asked.visited_cols);
  });
}

AskedRowsStep asked_rows_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? ask_rows_avx512 : ask_rows_portable;
}

BottomUpStep bottom_up_few_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? bottom_up_few_avx512 : bottom_up_few_portable;
}

BottomUpStep bottom_up_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? bottom_up_avx512 : bottom_up_portable;
}

}  // namespace isobath
