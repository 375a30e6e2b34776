// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bfs/hybrid/steps/bottom_up.hpp"
#include "graph/hypersparse_rows.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Prefetches where the neighbours of a row begin and end, which may be in two lines of the cache.
inline void prefetch_bounds(const Rows& rows, std::size_t row) {
  rows.prefetch_start(row);
  rows.prefetch_start(row + 1);
}
inline void prefetch_bounds(const HypersparseRows& rows, std::size_t row) { rows.prefetch_start(row); }

/// Prefetches the first line of what a row has behind `skip` neighbours, and the next one where it goes on
/// there. A scan that reads further reads line after line, which processors foresee.
inline void prefetch_neighbours(std::span<const std::uint32_t> neighbours, std::size_t skip) {
  constexpr std::size_t of_line = 64 / sizeof(std::uint32_t);
  if (neighbours.size() <= skip) return;
  const std::uint32_t* const first = neighbours.data() + skip;
  __builtin_prefetch(first);
  __builtin_prefetch(first + std::min(neighbours.size() - skip - 1, of_line));
}

/// Calls scan(i) for the rows listed[i], in their order. What a row needs is prefetched while rows before it
/// are scanned: where its bounds stand, its bounds, its neighbours.
/// @param rows  of the graph, in either form
/// @param skip  neighbours of each row that a scan leaves out
template <class AnyRows, class Scan>
void scan_ahead(const AnyRows& rows, std::span<const std::uint32_t> listed, std::size_t skip, Scan&& scan) {
  constexpr std::size_t latency = 16;  // rows that are scanned while memory answers
  const std::size_t apart = std::min(latency, listed.size());
  for (std::size_t step = 0; step < listed.size() + 3 * apart; ++step) {
    // A pipeline of four stages: row `step` is looked for, row step - apart gets its bounds, and so on. A row
    // below 0 has not begun: as an unsigned number it wraps round to one behind the list.
    const std::size_t bounds = step - apart;
    const std::size_t neighbours = bounds - apart;
    const std::size_t scanned = neighbours - apart;
    if (step < listed.size()) rows.prefetch_place(listed[step]);
    if (bounds < listed.size()) prefetch_bounds(rows, listed[bounds]);
    if (neighbours < listed.size()) prefetch_neighbours(rows.of(listed[neighbours]), skip);
    if (scanned < listed.size()) scan(scanned);
  }
}

/// Rows that are still to be scanned, because their planes held no visited neighbour or few are left, wait
/// here until there are enough of them to hide the latency of memory.
class WaitingRows {
 public:
  /// No more than 64 may be pushed between two questions whether it is full.
  bool is_full() const { return count_ > room - 64; }
  void push(std::uint32_t row) { rows_[count_++] = row; }

  /// @param scan  scan(row): called for every waiting row
  template <class Scan>
  void drain(const Rows& rows, std::size_t skip, Scan&& scan) {
    scan_ahead(rows, std::span(rows_).first(count_), skip, [&](std::size_t i) { scan(rows_[i]); });
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
    Word unvisited = ~range.visited[w] & graph.has_arc[range.first_row_word + w];
    for (; unvisited != 0; unvisited &= unvisited - 1) {
      rows.push(first_row + static_cast<std::uint32_t>(w * word_bits) +
                static_cast<std::uint32_t>(std::countr_zero(unvisited)));
    }
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
  const std::uint32_t missing = asked.graph.layout.missing_col();
  LevelCounts counts;
  scan_ahead(by_target, asked.rows, 0, [&](std::size_t i) {
    const std::span<const std::uint32_t> neighbours = by_target.of(asked.rows[i]);
    const std::uint64_t at = first_visited(neighbours.data(), neighbours.size());
    const bool is_found = at < neighbours.size();
    asked.parent_col[i] = is_found ? neighbours[at] : missing;
    counts.arcs_scanned += static_cast<std::int64_t>(is_found ? at + 1 : at);
    counts.found += is_found ? 1 : 0;
  });
  return counts;
}
template <class FirstVisited>
LevelCounts ask_listed_rows(const AskedRows& asked, FirstVisited&& first_visited) {
  return asked.graph.with_rows_by_target(
      [&](const auto& by_target) { return ask_listed_rows_of(by_target, asked, first_visited); });
}

}  // namespace isobath
