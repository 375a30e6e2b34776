// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "bfs/hybrid/frontier.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "graph/emit_parents.hpp"

namespace isobath {

/// The levels of a search on one grid column: all arcs of own targets are stored on this rank, which finds
/// their parents itself. No MPI.
class OneColumn {
 public:
  /// @param graph  outlives this
  OneColumn(const Graph& graph, BottomUpSteps steps);

  /// Before a search.
  void reset();
  /// Follows the arcs of the frontier's columns.
  LevelCounts top_down(std::span<const std::uint32_t> columns, Frontier& frontier);
  /// Every unvisited row looks for a visited column. @param visited_cols  as Expand::visited() has them
  LevelCounts bottom_up(const Word* visited_cols, Frontier& frontier);
  /// What emit reads; @param visited_cols  may be none where no leaf asks
  FoundOneColumn found(std::span<const Word> visited, const Word* visited_cols) const;

 private:
  // A top-down level goes one of three ways. Members of a family (graph/families.hpp) are found like all
  // targets, one arc of the head after the other, or all their bits are set at once, and those arcs are
  // passed over:
  //
  //   arcs of the frontier   way                                             result    families
  //   <= small_level_arcs    by_one_thread                                   a list    arc by arc
  //   <= shared_arcs_        in_shared_bitmap; by_one_thread where the       a list    arc by arc
  //                          rank has one thread
  //   more                   in_thread_bitmaps, on one thread, too           bitmaps   at once
  LevelCounts by_one_thread(std::span<const std::uint32_t> columns, Frontier& frontier);
  LevelCounts in_shared_bitmap(std::span<const std::uint32_t> columns, Frontier& frontier);
  LevelCounts in_thread_bitmaps(std::span<const std::uint32_t> columns, Frontier& frontier);
  void sum_arcs(std::span<const std::uint32_t> columns);
  void find_heads(std::span<const std::uint32_t> columns);

  const Graph& graph_;
  BottomUpSteps steps_;
  std::uint64_t shared_arcs_;              // a frontier of more gives every thread a bitmap
  LargeArray<Word> by_first_neighbour_;    // own vertices whose parent is their first neighbour
  LargeArray<std::uint32_t> parent_col_;   // own vertex -> column of its parent, where that bit is not set
  LargeArray<Word> followers_;             // own vertices whose head is on the frontier
  std::vector<char> is_head_on_frontier_;  // by family
  std::vector<LargeArray<Word>> thread_visited_;         // in_thread_bitmaps: a bitmap for each
  std::vector<LargeArray<std::uint32_t>> thread_found_;  // in_shared_bitmap: a list for each
  std::vector<std::uint64_t> arcs_before_;               // of the frontier's columns, and their sum
  std::vector<std::uint32_t> columns_;                   // copy of a frontier whose list is overwritten
};

}  // namespace isobath
