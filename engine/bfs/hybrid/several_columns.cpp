// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/several_columns.hpp"

#include <algorithm>

#include "bfs/hybrid/scan_columns.hpp"

namespace isobath {

SeveralColumns::SeveralColumns(const ConstructedGraph& built, const PlanOptions& options, BottomUpSteps steps)
    : graph_(built.graph),
      notes_(graph_.layout),
      parents_(graph_),
      fold_(graph_, built.grid.row_comm, options.switches, built.row_nodes(options), parents_),
      ring_(graph_, built.grid.row_comm, options.switches.overlap, steps, notes_, fold_) {
  if (graph_.hubs.empty()) return;
  hub_pass_.emplace(graph_, built.grid.row_comm, parents_);
  ask_.emplace(graph_, built.grid.row_comm, asked_rows_step(best_instruction_set()), fold_);
}

void SeveralColumns::reset() {
  parents_.reset();
  fold_.reset();
  if (hub_pass_) hub_pass_->reset();
}

std::optional<std::int64_t> SeveralColumns::own_visited_hubs(std::span<const Word> visited) const {
  if (!hub_pass_) return std::nullopt;
  return hub_pass_->visited_hubs(visited.data());
}

/// Sends along the grid row:
///
///   step     what a rank sends               as                        left out where
///   fold     to each owner, parents that it  (target, parent) pairs,   it has none for the owner;
///            found for its vertices          packed                    their length is sent
///
/// A rank proposes a vertex once in a search, and its owner takes the first proposal that arrives.
LevelCounts SeveralColumns::top_down(std::span<const std::uint32_t> columns, Frontier& frontier,
                                     PhaseObserver& observer) {
  const std::int64_t arcs_scanned = scan_columns(graph_, columns, notes_, fold_);
  std::size_t found = 0;
  fold_.run(observer, [&](std::uint32_t target) {
    if (!frontier.mark(target)) return false;
    frontier.list_room()[found++] = target;  // on one grid row over `columns`, which are read no more
    return true;
  });
  frontier.set_list(found);
  return {static_cast<std::int64_t>(found), arcs_scanned};
}

/// Owners find what they can by themselves (hub pass); who is left asks the grid row, whose ranks store the
/// rest of its row. Sends along the grid row, lengths first (8 bytes) but in the ring:
///
///   step     what a rank sends               as                        left out where
///   hub pass to all, which hubs of its grid  bits, or a shorter list   there are none; all were told
///            column are visited              of those that are new, or before; or the last sums say
///                                            of those not visited      that none is new, or all are
///   ask      to all, which own vertices are  a list                    there are no hubs, or lists
///            left and have other neighbours                            are no shorter than the bits
///   ring     to both neighbours, which       bits, half to each (with- lists were sent
///            vertices of each owner are      out overlap both to the
///            visited                         right)
///   fold     to each owner, parents that it  (target, parent) pairs,   as top-down
///            found for its vertices          packed
LevelCounts SeveralColumns::bottom_up(const Word* visited_cols, std::optional<std::int64_t> visited_hubs,
                                      Frontier& frontier, PhaseObserver& observer) {
  const std::span<const Word> visited = frontier.visited();
  const std::span<Word> visited_after = frontier.visited_after();
  LevelCounts counts;
  const bool has_hub_pass = hub_pass_ && !hub_pass_->is_over();
  if (has_hub_pass) observer.phase(Phase::hub_pass);
  if (has_hub_pass && hub_pass_->tell(visited_cols, visited_hubs)) {
    counts = hub_pass_->find(visited, visited_after);  // `found` is counted at the end, of all steps
  } else {
    std::ranges::copy(visited, visited_after.begin());
  }
  observer.phase(Phase::rotate);
  const GatheredPieces* const lists = ask_ ? ask_->lists_if_shorter_than_ring(visited_after) : nullptr;
  if (lists != nullptr) {
    observer.phase(Phase::bottom_up);
    counts.arcs_scanned += ask_->answer(*lists, visited_cols);
  } else {
    counts.arcs_scanned += ring_.rotate(visited_cols, visited_after, observer);
  }
  frontier.advance();  // what fold marks from here on was found in this level, too
  // Several ranks may answer a list. The ring finds a target once, and has marked it.
  fold_.run(observer, [&](std::uint32_t target) { return lists == nullptr || frontier.mark(target); });
  counts.found = frontier.count();
  return counts;
}

}  // namespace isobath
