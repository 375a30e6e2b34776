// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/phase.hpp"
#include "bfs/constructed_graph.hpp"
#include "bfs/hybrid/ask.hpp"
#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/frontier.hpp"
#include "bfs/hybrid/parents.hpp"
#include "bfs/hybrid/ring.hpp"
#include "bfs/hybrid/row_notes.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "bfs/hybrid/steps/find_by_hubs.hpp"
#include "bfs/hybrid/told_hubs.hpp"

namespace isobath {

/// The levels of a search on several grid columns: the arcs that end at own vertices lie on all ranks of the
/// grid row, so that who finds a parent is often not the owner. On one grid column there is OneColumn.
///
/// Top-down is the 2D search of Buluc and Madduri (SC 2011): local discovery (scan_columns), then Fold; but
/// followers of the hubs on the frontier are found by their owner (ToldHubs, follow_hubs), so that nobody
/// follows a hub's arcs to them. Where another grid column proposes them, Fold dismisses that.
/// Bottom-up, after Expand, has three steps (who sends what to whom: the .cpp):
///
///   hub pass      ToldHubs: all ranks learn which hubs are visited. Then owners give an unvisited vertex its
///                 first visited kept hub as parent, without a message. This finds most of a wide level. The
///                 parent is on the frontier: every level visits all neighbours of its frontier, so that an
///                 unvisited vertex has no visited neighbour from before. (Top-down skips arcs from hubs to
///                 their followers; so with families every level tells new hubs, docs/adr/0043)
///   Ask, or Ring  the grid row, whose ranks store the other arcs that end there, looks for parents of those
///                 left: by a list of them, or by the bitmap that goes round the row
///   Fold          parents that were found go to the owners
class SeveralColumns {
 public:
  /// Collective. @param built  outlives this
  SeveralColumns(const ConstructedGraph& built, const PlanOptions& options, BottomUpSteps steps);
  SeveralColumns(const SeveralColumns&) = delete;
  SeveralColumns& operator=(const SeveralColumns&) = delete;

  /// Before a search.
  void reset();
  /// Collective along the grid row. Follows the arcs of the frontier's columns; leaves the new frontier as a
  /// list.
  /// @param start         in the first level the start vertex, else nothing
  /// @param visited_hubs  as bottom_up() has it
  LevelCounts top_down(std::span<const std::uint32_t> columns, const Location* start,
                       std::optional<std::int64_t> visited_hubs, Frontier& frontier, PhaseObserver& observer);
  /// Collective along the grid row. Every unvisited vertex looks for a visited neighbour; leaves the new
  /// frontier as bitmaps.
  /// @param visited_cols  as Expand::visited() has them
  /// @param visited_hubs  the sum over all ranks of own_visited_hubs() before the level, where it is known
  LevelCounts bottom_up(const Word* visited_cols, std::optional<std::int64_t> visited_hubs,
                        Frontier& frontier, PhaseObserver& observer);
  /// How many own hubs are visited; nothing where owners keep no hubs.
  std::optional<std::int64_t> own_visited_hubs(std::span<const Word> visited) const;
  /// What emit reads; parameters as Parents::found() has them.
  FoundSeveralColumns found(std::span<const Word> visited, const Word* reached_leaves, bool dealt) {
    return parents_.found(graph_, visited, reached_leaves, dealt);
  }

 private:
  std::int64_t follow_hubs(std::span<const std::uint32_t> columns, const Location* start,
                           std::optional<std::int64_t> visited_hubs, Frontier& frontier,
                           PhaseObserver& observer);

  const Graph& graph_;
  RowNotes notes_;
  Parents parents_;
  Fold fold_;
  HubPassStep hub_pass_step_ = hub_pass_step(best_instruction_set());
  std::optional<ToldHubs> told_hubs_;  // where the graph has hubs
  std::optional<Ask> ask_;             // where the graph has hubs
  LargeArray<Word> followers_;         // own vertices that follow_hubs() finds; where there are families
  Ring ring_;
};

}  // namespace isobath
