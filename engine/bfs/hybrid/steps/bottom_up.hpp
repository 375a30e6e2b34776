// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "graph/graph.hpp"

namespace isobath {

// The local part of a bottom-up level, on one thread and on all. Which step is for what:
//
//   step                        for rows                        how
//   bottom_up_rows              of a range, without planes      one by one (Beamer et al.)
//   bottom_up_portable/avx512   of a range, unless few          families at once; then the planes (plane k:
//   the
//                                                               k-th neighbour of every row, the first four),
//                                                               row by row / 16 rows at a time; then the rest
//   bottom_up_few_*             of a range, few unvisited       one by one, in batches
//   ask_rows_*                  of a list (Ask; Ring where      one by one, with prefetching
//                               hypersparse)
//
// bottom_up_by_team() and ask_rows_by_team() are what a level calls.

/// What a bottom-up step reads and writes. `visited`, `visited_after`, `by_first_neighbour` and `parent_col`
/// begin with the first row of the range; `visited_cols` is whole.
struct BottomUpRange {
  const Graph& graph;
  const Word* visited_cols;    // visited sources as they stood before the level
  std::size_t first_row_word;  // where the range begins in the rows of the graph
  std::size_t words;           // how many words of 64 rows
  const Word* visited;         // before the level; from the ring also rows that it passes over
  Word* visited_after;         // rows visited after it
  Word* by_first_neighbour;    // bits are added: found through the first neighbour
  std::uint32_t* parent_col;   // by row of the range: written for rows found through another neighbour
};

/// Words of a range that one step takes at most; its followers stand on the stack.
inline constexpr std::size_t words_at_once = 64;

/// Of a level, or of a part of it.
struct LevelCounts {
  std::int64_t found = 0;
  std::int64_t arcs_scanned = 0;  // bottom-up: places looked at, empty ones of planes and kept hubs, too
};

/// One bottom-up step (Beamer et al., SC 2012), no MPI, no allocation, one thread: every unvisited row of the
/// range looks for a visited neighbour and stops at the first; families (graph/families.hpp) are asked as a
/// whole. A range has at most words_at_once words. A visited neighbour of an unvisited row is always on
/// the frontier, so that no frontier bitmap is needed (docs/adr/0013).
using BottomUpStep = LevelCounts (*)(const BottomUpRange& range);

/// Without planes, which the graph need not have; by_first_neighbour is not touched.
LevelCounts bottom_up_rows(const BottomUpRange& range);
LevelCounts bottom_up_portable(const BottomUpRange& range);
LevelCounts bottom_up_avx512(const BottomUpRange& range);
/// For ranges of which few rows are unvisited: these are not asked plane by plane, each of which would wait
/// for memory, but row by row in batches; by_first_neighbour is not touched.
LevelCounts bottom_up_few_portable(const BottomUpRange& range);
LevelCounts bottom_up_few_avx512(const BottomUpRange& range);
BottomUpStep bottom_up_few_step(InstructionSet set);

/// Rows that ask by name.
struct AskedRows {
  const Graph& graph;
  const Word* visited_cols;  // visited sources as they stood before the level
  std::span<const std::uint32_t> rows;
  std::uint32_t* parent_col;  // by place in the list, written: a visited neighbour, or missing_col()
};
/// A bottom-up step on a list of rows; the same rules.
using AskedRowsStep = LevelCounts (*)(const AskedRows& asked);
LevelCounts ask_rows_portable(const AskedRows& asked);
LevelCounts ask_rows_avx512(const AskedRows& asked);
AskedRowsStep asked_rows_step(InstructionSet set);

/// The step for an instruction set; AVX2 has no gain over the portable one here and shares it.
BottomUpStep bottom_up_step(InstructionSet set);

/// The steps of one search.
struct BottomUpSteps {
  BottomUpStep step;
  BottomUpStep few = nullptr;  // where owners find most by their hubs: for parts of which few rows are left
  AskedRowsStep asked = asked_rows_step(best_instruction_set());  // for rows that ask by name
};
/// All threads over a range of any length, in parts of words_at_once: whoever is free takes the next, since
/// heavy vertices make rows uneven.
LevelCounts bottom_up_by_team(const BottomUpSteps& steps, const BottomUpRange& range);
/// The same for rows that ask by name. By one thread where there are few.
LevelCounts ask_rows_by_team(AskedRowsStep step, const AskedRows& asked);

}  // namespace isobath
