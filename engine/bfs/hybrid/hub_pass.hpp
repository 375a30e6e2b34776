// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "bfs/hybrid/bottom_up.hpp"
#include "bfs/hybrid/parents.hpp"
#include "bfs/hybrid/told_hubs.hpp"
#include "comm/communicator.hpp"
#include "graph/hubs.hpp"

namespace isobath {

/// What owners look up on a range of own words. The last four arrays begin with the first word of the range;
/// `hubs` and `visited_hubs` are whole.
struct HubPassRange {
  const Hubs& hubs;
  const Word* visited_hubs;  // as they stood before the level
  std::size_t first_word;    // of the range, in the own words
  std::size_t words;         // words_at_once at most
  const Word* visited;       // own vertices visited before the level
  Word* visited_after;       // written: those and what is found
  Word* by_first;            // bits are added: the parent is the first kept hub
  std::int64_t* parent;      // own vertex -> original number of its parent, where it is another kept hub
};

/// The local step of the pass, no MPI, one thread; portable and vectorised ones do the same: every unvisited
/// vertex takes the first of its kept hubs that is visited as parent.
using HubPassStep = LevelCounts (*)(const HubPassRange& range);
HubPassStep hub_pass_step(InstructionSet set);

LevelCounts find_by_hubs_portable(const HubPassRange& range);
LevelCounts find_by_hubs_avx512(const HubPassRange& range);

/// The owner's pass of a bottom-up level on several grid columns: which hubs are visited is told to all
/// ranks, and what has one among its kept hubs is found by its owner, who asks nobody (docs/adr/0043). A
/// visited neighbour of an unvisited vertex is on the last level, so the parents are right.
class HubPass {
 public:
  /// @param graph, row_comm, parents  outlive this; the graph has hubs
  HubPass(const Graph& graph, const Communicator& row_comm, Parents& parents);

  /// Before a search.
  void reset() { told_.reset(); }
  /// All hubs were visited when they were last told: nothing more will be found by them.
  bool is_over() const { return told_.are_all_visited(); }
  /// How many own hubs are visited; the sum over all ranks is for tell().
  std::int64_t visited_hubs(const Word* visited) const { return told_.count_own(visited); }
  /// Collective along the grid row. All ranks learn which hubs are visited (told_hubs.hpp). False where none
  /// is newly visited: then nothing will be found by them in this level.
  bool tell(const Word* visited_cols, std::optional<std::int64_t> over_all_ranks) {
    return told_.tell(visited_cols, over_all_ranks);
  }
  /// Parents of the own vertices that keep a hub which was told to be visited.
  /// @param visited        own words, before the level
  /// @param visited_after  own words, written: those and what is found
  LevelCounts find(std::span<const Word> visited, std::span<Word> visited_after);

 private:
  const Graph& graph_;
  Parents& parents_;
  ToldHubs told_;
  HubPassStep step_;
};

}  // namespace isobath
