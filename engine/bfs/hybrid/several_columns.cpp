// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/several_columns.hpp"

#include <algorithm>

#include "bfs/hybrid/steps/follow_hubs.hpp"
#include "bfs/hybrid/steps/scan_columns.hpp"

namespace isobath {

SeveralColumns::SeveralColumns(const ConstructedGraph& built, const PlanOptions& options, BottomUpSteps steps)
    : graph_(built.graph),
      notes_(graph_),
      parents_(graph_, options.switches.likely_parents),
      fold_(graph_, built.grid.row_comm, options.switches, built.row_nodes(options), parents_),
      ring_(graph_, built.grid.row_comm, options.switches.overlap, steps, notes_, fold_) {
  if (graph_.hubs.empty()) return;
  told_hubs_.emplace(graph_.hubs, graph_.layout, built.grid.row_comm);
  ask_.emplace(graph_, built.grid.row_comm, steps.asked, fold_);
  if (graph_.hubs.followers.have_families()) followers_ = LargeArray<Word>(graph_.layout.own_words());
}

void SeveralColumns::reset() {
  parents_.reset();
  fold_.reset();
  if (told_hubs_) told_hubs_->reset();
}

std::optional<std::int64_t> SeveralColumns::own_visited_hubs(std::span<const Word> visited) const {
  if (!told_hubs_) return std::nullopt;
  return told_hubs_->own_visited_hubs(visited.data());
}

/// All messages go along the grid row:
///
///   step      a rank sends             to whom              as                      left out where
///   hub pass  which hubs of its        all                  bits, or a list of the  none is new, or all are
///             grid column are visited                       newly visited, or of    visited (the last sum);
///                                                           the unvisited           first level; there are
///                                                                                   no families
///   fold      parents that it found    the targets' owners  (target, parent) pairs, never: for whom it found
///                                                           packed                  none, a length
///                                                           (Exchange)
///
/// Followers are visited before scan_columns, which passes over their hubs' arcs to them, and listed behind
/// it. A rank proposes a parent for a vertex once in a search, and its owner takes the first proposal that
/// arrives.
LevelCounts SeveralColumns::top_down(std::span<const std::uint32_t> columns, const Location* start,
                                     std::optional<std::int64_t> visited_hubs, Frontier& frontier,
                                     PhaseObserver& observer) {
  const std::int64_t found_by_hubs = follow_hubs(columns, start, visited_hubs, frontier, observer);
  const std::int64_t arcs_scanned = found_by_hubs + scan_columns(graph_, columns, notes_, fold_);
  // From here on list_room() is overwritten. Where R = 1 `columns` is that same memory; it is not read again.
  std::size_t found = 0;
  if (found_by_hubs > 0) {
    for_each_bit(followers_.span(),
                 [&](std::size_t own) { frontier.list_room()[found++] = static_cast<std::uint32_t>(own); });
  }
  fold_.run(observer, [&](std::uint32_t target) {
    if (!frontier.mark(target)) return false;
    frontier.list_room()[found++] = target;
    return true;
  });
  frontier.set_list(found);
  return {static_cast<std::int64_t>(found), arcs_scanned};
}

/// Followers whose head is on the frontier become visited, and stand in followers_. Returns how many.
std::int64_t SeveralColumns::follow_hubs(std::span<const std::uint32_t> columns, const Location* start,
                                         std::optional<std::int64_t> visited_hubs, Frontier& frontier,
                                         PhaseObserver& observer) {
  // The same on all ranks, whether or not one has families itself: so all tell, or none.
  if (!graph_.hubs.followers.have_families()) return 0;
  observer.phase(Phase::hub_pass);
  // The sum over all is known after the first level where there are hubs (own_visited_hubs).
  const bool has_new_hubs = start != nullptr ? told_hubs_->note_start(*start)
                                             : told_hubs_->tell_frontier(columns, visited_hubs.value());
  std::int64_t found = 0;
  if (has_new_hubs) {
    const std::size_t first_word = graph_.layout.own_row() / word_bits;
    found = follow_hubs_by_team({.families = graph_.hubs.families,
                                 .visited_hubs = told_hubs_->visited(),
                                 .words = graph_.layout.own_words(),
                                 .visited = frontier.visited().data(),
                                 .by_first_hub = parents_.by_first_hub().data(),
                                 .proposed = fold_.proposed().data() + first_word,  // so that it does not
                                 .found = followers_.data()});
  }
  observer.phase(Phase::top_down);
  return found;
}

/// Owners find what they can without the others (hub pass). Then the grid row, whose ranks store the other
/// arcs that end at an own vertex, looks for parents of those left. All messages go along the grid row. Those
/// of hub pass and ask differ in length from rank to rank (GatheredPieces, ADR 0052); halves of the ring have
/// known lengths:
///
///   step      a rank sends                   to whom        as                   left out where
///   hub pass  which hubs of its grid         all            bits, or a list of   there are no hubs; all were
///             column are visited                            the newly visited,   told before; the last sum
///                                                           or of the unvisited  says that none is new, or
///                                                                                that all are visited
///   ask       which own vertices are left    all            a list (*)           there are no hubs
///             and have neighbours other
///             than the hubs kept for them
///   ring      C pieces of the visited        right and      bits; without        lists were sent
///             bitmap in turn, its own        left: half a   overlap, both
///             first                          piece each     halves to the right
///   fold      parents that it found          the targets'   (target, parent)     as top-down
///                                            owners         pairs, packed
///
/// (*) Lengths first; if a rank has too many to list, or all lists together are no shorter than the bits of
/// the row, no more is sent but short lists, which went with their lengths.
///
/// visited_after gets what the hub pass finds. The ring adds all else, since the own bits come home: each
/// target is found by one rank, so that fold adopts every proposal. Lists add nothing: several ranks may
/// propose the same target, so that after advance() fold marks it at the first proposal and dismisses the
/// rest.
LevelCounts SeveralColumns::bottom_up(const Word* visited_cols, std::optional<std::int64_t> visited_hubs,
                                      Frontier& frontier, PhaseObserver& observer) {
  const std::span<const Word> visited = frontier.visited();
  const std::span<Word> visited_after = frontier.visited_after();
  LevelCounts counts;  // `found` at the end, of all steps
  const bool asks_hubs = told_hubs_ && !told_hubs_->are_all_visited();
  if (asks_hubs) observer.phase(Phase::hub_pass);
  const bool has_new_hubs = asks_hubs && told_hubs_->tell(visited_cols, visited_hubs);
  if (has_new_hubs) {
    counts = find_by_hubs_by_team(hub_pass_step_, {.hubs = graph_.hubs,
                                                   .visited_hubs = told_hubs_->visited(),
                                                   .first_word = 0,
                                                   .words = graph_.layout.own_words(),
                                                   .visited = visited.data(),
                                                   .visited_after = visited_after.data(),
                                                   .by_first_hub = parents_.by_first_hub().data(),
                                                   .parents = parents_});
  }
  observer.phase(Phase::rotate);  // the phase is all telling of who is left, lists too
  if (!has_new_hubs) std::ranges::copy(visited, visited_after.begin());
  const GatheredPieces* const lists = ask_ ? ask_->lists_if_shorter_than_ring(visited_after) : nullptr;
  const bool by_lists = lists != nullptr;  // then several ranks may find the same target
  if (by_lists) {
    observer.phase(Phase::bottom_up);
    counts.arcs_scanned += ask_->answer(*lists, visited_cols);
  } else {
    counts.arcs_scanned += ring_.rotate(visited_cols, visited_after, observer);
  }
  frontier.advance();  // visited_after is now what is visited; what fold marks counts to this level
  fold_.run(observer, [&](std::uint32_t target) { return !by_lists || frontier.mark(target); });
  counts.found = frontier.count();
  return counts;
}

}  // namespace isobath
