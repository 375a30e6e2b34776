// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "bfs/hybrid/parents.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "graph/hubs.hpp"

namespace isobath {

/// What owners look up on a range of own words. The three arrays of words begin with the first word of the
/// range; `hubs`, `visited_hubs` and `parents` are whole.
struct HubPassRange {
  const Hubs& hubs;
  const Word* visited_hubs;  // as they stood before the level
  std::size_t first_word;    // of the range, in the own words
  std::size_t words;         // any number in find_by_hubs_by_team(), else words_at_once at most
  const Word* visited;       // own vertices visited before the level
  Word* visited_after;       // written: those and what is found
  Word* by_first_hub;        // bits are added: the parent is the first kept hub
  Parents& parents;          // written: parents that are another kept hub
};

/// The local step of the hub pass, no MPI, one thread; portable and vectorised ones do the same: every
/// unvisited vertex takes the first of its kept hubs that is visited as parent; families, which keep the same
/// one first, with one look at it. A visited neighbour of an unvisited vertex is always on the frontier, so
/// such a parent is right.
using HubPassStep = LevelCounts (*)(const HubPassRange& range);
HubPassStep hub_pass_step(InstructionSet set);

LevelCounts find_by_hubs_portable(const HubPassRange& range);
LevelCounts find_by_hubs_avx512(const HubPassRange& range);
/// All threads over a range of any length.
LevelCounts find_by_hubs_by_team(HubPassStep step, const HubPassRange& range);

}  // namespace isobath
