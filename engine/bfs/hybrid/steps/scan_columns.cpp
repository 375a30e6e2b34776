// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/scan_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "bfs/hybrid/steps/unproposed_rows.hpp"

namespace isobath {
namespace {

/// Marks the families of the frontier's hubs as proposed (their owners find them, whatever column leads
/// there) and returns how many arcs are left to follow; these are prefetched.
template <class AnyRows>
std::uint64_t pass_over_families(const HubFollowers& followers, const AnyRows& rows,
                                 std::span<const std::uint32_t> columns, std::span<Word> proposed) {
  std::uint64_t arcs = 0;
  for (const std::uint32_t col : columns) {
    rows.prefetch_neighbours(col);
    arcs += rows.length(col);
    for (const HubFollowers::Family& family : followers.of_column(col)) {
      set_bits(proposed.data(), family.begin, family.end);
      arcs -= family.size();
    }
  }
  return arcs;
}

/// Calls visit(rows) for each run of targets of a column between its families, before and behind them.
template <class Visit>
void for_each_to_follow(std::span<const std::uint32_t> targets,
                        std::span<const HubFollowers::Family> families, Visit&& visit) {
  std::size_t at = 0;
  for (const HubFollowers::Family& family : families) {
    visit(targets.subspan(at, family.first_arc - at));
    at = family.first_arc + family.size();
  }
  visit(targets.subspan(at));
}

/// Whose rows these are.
std::size_t piece_of(const GridLayout& layout, std::uint32_t row) {
  const std::vector<std::uint32_t>& offset = layout.row_offset;
  return static_cast<std::size_t>(std::upper_bound(offset.begin(), offset.end(), row) - offset.begin() - 1);
}

/// By one thread: proposals as they are met.
template <class AnyRows>
void propose_in_turn(const Graph& graph, const AnyRows& rows, std::span<const std::uint32_t> columns,
                     Fold& fold) {
  const std::span<const Word> proposed = fold.proposed();
  for (const std::uint32_t col : columns) {
    const std::span<const std::uint32_t> targets = rows.of(col);
    if (targets.empty()) continue;  // a hypersparse column has no original then
    const std::uint32_t source = graph.source_at(rows.entry_of(col));
    for_each_to_follow(targets, graph.hubs.followers.of_column(col), [&](auto between) {
      for (const std::uint32_t row : between) {
        if (!test_bit(proposed, row)) fold.propose(piece_of(graph.layout, row), row, source);
      }
    });
  }
}

/// Calls first(row) for those of `rows` that get their bit in `proposed` now. @param alone  no other thread
/// sets bits
template <class First>
void mark_rows(std::span<const std::uint32_t> rows, std::span<Word> proposed, bool alone,
               UnproposedRows unproposed, First&& first) {
  if (!alone) {
    for (const std::uint32_t row : rows) {
      if (claim_bit(proposed, row)) first(row);
    }
    return;
  }
  constexpr std::size_t at_once = 128;
  std::array<std::uint32_t, at_once + unproposed_spill> picked;
  for (; !rows.empty(); rows = rows.subspan(std::min(at_once, rows.size()))) {
    const std::size_t count =
        unproposed(rows.first(std::min(at_once, rows.size())), proposed.data(), picked.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (mark_bit(proposed, picked[i])) first(picked[i]);  // false for a copy of an arc, where there are any
    }
  }
}

/// By all threads: every row met for the first time gets a bit and a parent. Proposals are then read off in
/// the order of the rows, in which they are packed.
template <class AnyColumns>
void propose_by_bits(const Graph& graph, const AnyColumns& by_source, std::span<const std::uint32_t> columns,
                     RowNotes& notes, Fold& fold) {
  const std::span<Word> proposed = fold.proposed();
  const std::span<Word> proposed_before = notes.proposed_before();
  std::uint32_t* const parent_col = notes.parent_col();
  const bool alone = max_threads() == 1;
  const UnproposedRows unproposed = unproposed_rows_step(best_instruction_set());
  std::copy(proposed.begin(), proposed.end(), proposed_before.begin());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::uint32_t col = columns[k];
    for_each_to_follow(by_source.of(col), graph.hubs.followers.of_column(col), [&](auto between) {
      mark_rows(between, proposed, alone, unproposed, [&](std::uint32_t row) { parent_col[row] = col; });
    });
  }
  for (std::size_t piece = 0; piece + 1 < graph.layout.row_offset.size(); ++piece) {
    const std::size_t end = graph.layout.row_offset[piece + 1] / word_bits;
    for (std::size_t w = graph.layout.row_offset[piece] / word_bits; w < end; ++w) {
      const auto first_row = static_cast<std::uint32_t>(w * word_bits);
      for_each_bit(proposed[w] & ~proposed_before[w], first_row, [&](std::uint32_t row) {
        fold.propose(piece, row, graph.source_at(by_source.entry_of(parent_col[row])));
      });
    }
  }
}

/// By all threads, of hypersparse rows: no array by row, and no look at all words of them. Each thread lists
/// what it meets for the first time.
template <class AnyColumns>
void propose_listed(const Graph& graph, const AnyColumns& by_source, std::span<const std::uint32_t> columns,
                    Fold& fold) {
  const bool alone = max_threads() == 1;
  const UnproposedRows unproposed = unproposed_rows_step(best_instruction_set());
  std::vector<std::vector<Proposal>> of_thread(static_cast<std::size_t>(max_threads()));
#pragma omp parallel
  {
    std::vector<Proposal> mine;  // targets are rows
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::uint32_t col = columns[k];
      const std::span<const std::uint32_t> targets = by_source.of(col);
      if (targets.empty()) continue;  // as in propose_in_turn
      const std::uint32_t source = graph.source_at(by_source.entry_of(col));
      for_each_to_follow(targets, graph.hubs.followers.of_column(col), [&](auto between) {
        mark_rows(between, fold.proposed(), alone, unproposed,
                  [&](std::uint32_t row) { mine.push_back({row, source}); });
      });
    }
    of_thread[static_cast<std::size_t>(thread_id())] = std::move(mine);
  }
  for (std::vector<Proposal>& met : of_thread) {
    for (const auto& [row, source] : met) fold.propose(piece_of(graph.layout, row), row, source);
    met = {};
  }
}

}  // namespace

std::int64_t scan_columns(const Graph& graph, std::span<const std::uint32_t> columns, RowNotes& notes,
                          Fold& fold) {
  return graph.with_rows_by_source([&](const auto& by_source) {
    const std::uint64_t arcs = pass_over_families(graph.hubs.followers, by_source, columns, fold.proposed());
    // propose_by_bits reads the whole row bitmap once, but threads share the arcs: it pays from row_words /
    // threads arcs on. propose_listed reads no bitmap, but below that starting threads does not pay either.
    if (arcs * static_cast<std::uint64_t>(max_threads()) < graph.layout.row_words()) {
      propose_in_turn(graph, by_source, columns, fold);
    } else if (graph.has_hypersparse_rows) {
      propose_listed(graph, by_source, columns, fold);
    } else {
      propose_by_bits(graph, by_source, columns, notes, fold);
    }
    return static_cast<std::int64_t>(arcs);
  });
}

}  // namespace isobath
