// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bfs/hybrid/steps/bottom_up.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Rows that are still to be scanned, because their planes held no visited neighbour or few are left, wait
/// here until there are enough of them to hide the latency of memory: their offsets are prefetched, then
/// their neighbours, then they are scanned.
class WaitingRows {
 public:
  /// No more than 64 may be pushed between two questions whether it is full.
  bool is_full() const { return count_ > room - 64; }
  void push(std::uint32_t row) { rows_[count_++] = row; }

  /// @param scan  scan(row): called for every waiting row once its memory has been asked for
  template <class Scan>
  void drain(const Rows& rows, std::size_t skip, Scan&& scan) {
    for (std::size_t i = 0; i < count_; ++i) rows.prefetch_start(rows_[i]);
    for (std::size_t i = 0; i < count_; ++i) {
      __builtin_prefetch(rows.neighbour.data() + rows.start[rows_[i]] + skip);
    }
    for (std::size_t i = 0; i < count_; ++i) scan(rows_[i]);
    count_ = 0;
  }

 private:
  static constexpr std::size_t room = 192;
  std::array<std::uint32_t, room> rows_;
  std::size_t count_ = 0;
};

/// Looks for a visited neighbour of every unvisited row of the range, in batches whose memory is prefetched.
/// @param first_visited  first_visited(neighbours, count): place of the first visited one, or count
template <class FirstVisited>
LevelCounts ask_few_rows(const BottomUpRange& range, FirstVisited&& first_visited) {
  const Graph& graph = range.graph;
  const auto first_row = static_cast<std::uint32_t>(range.first_row_word * word_bits);
  LevelCounts counts;
  WaitingRows rows;
  const auto ask = [&](std::uint32_t row) {
    const std::span<const std::uint32_t> neighbours = graph.by_target.of(row);
    const std::uint64_t at = first_visited(neighbours.data(), neighbours.size());
    counts.arcs_scanned += static_cast<std::int64_t>(at < neighbours.size() ? at + 1 : at);
    if (at == neighbours.size()) return;
    const std::uint32_t local = row - first_row;
    range.parent_col[local] = neighbours[at];
    range.visited_after[local / word_bits] |= Word{1} << (local % word_bits);
    ++counts.found;
  };
  for (std::size_t w = 0; w < range.words; ++w) {
    range.visited_after[w] = range.visited[w];
    const Word unvisited = ~range.visited[w] & graph.has_arc[range.first_row_word + w];
    for_each_bit(unvisited, first_row + static_cast<std::uint32_t>(w * word_bits),
                 [&](std::uint32_t row) { rows.push(row); });
    if (rows.is_full()) rows.drain(graph.by_target, 0, ask);
  }
  rows.drain(graph.by_target, 0, ask);
  return counts;
}

/// Every row of a list, the same way.
/// @param by_target  of the graph, in either form
template <class AnyRows, class FirstVisited>
LevelCounts ask_listed_rows_of(const AnyRows& by_target, const AskedRows& asked,
                               FirstVisited&& first_visited) {
  constexpr std::size_t at_once = 128;  // enough of them to hide the latency of memory
  LevelCounts counts;
  for (std::size_t begin = 0; begin < asked.rows.size(); begin += at_once) {
    const std::size_t end = std::min(asked.rows.size(), begin + at_once);
    for (std::size_t i = begin; i < end; ++i) by_target.prefetch_place(asked.rows[i]);
    for (std::size_t i = begin; i < end; ++i) by_target.prefetch_start(asked.rows[i]);
    for (std::size_t i = begin; i < end; ++i) by_target.prefetch_neighbours(asked.rows[i]);
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<const std::uint32_t> neighbours = by_target.of(asked.rows[i]);
      const std::uint64_t at = first_visited(neighbours.data(), neighbours.size());
      const bool is_found = at < neighbours.size();
      asked.parent_col[i] = is_found ? neighbours[at] : asked.graph.layout.missing_col();
      counts.arcs_scanned += static_cast<std::int64_t>(is_found ? at + 1 : at);
      counts.found += is_found ? 1 : 0;
    }
  }
  return counts;
}
template <class FirstVisited>
LevelCounts ask_listed_rows(const AskedRows& asked, FirstVisited&& first_visited) {
  return asked.graph.with_rows_by_target(
      [&](const auto& by_target) { return ask_listed_rows_of(by_target, asked, first_visited); });
}

}  // namespace isobath
