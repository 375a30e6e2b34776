// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "bfs/bottom_up.hpp"
#include "comm/communicator.hpp"
#include "graph/hubs.hpp"

namespace isobath {

/// What owners look up on a range of own words; arrays begin with the first word of the range.
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

/// The local steps of the pass, no MPI, one thread; portable and vectorised ones do the same.
struct HubPassSteps {
  /// Every unvisited vertex takes the first of its kept hubs that is visited as parent.
  LevelCounts (*find)(const HubPassRange& range);
  /// Bits of `words` words of `visited` where `hubs` has one, laid one after the other.
  void (*collect)(const Word* hubs, const Word* visited, std::size_t words, Word* out);
};
HubPassSteps hub_pass_steps(InstructionSet set);

LevelCounts find_by_hubs_portable(const HubPassRange& range);
LevelCounts find_by_hubs_avx512(const HubPassRange& range);
void collect_hub_bits_portable(const Word* hubs, const Word* visited, std::size_t words, Word* out);
void collect_hub_bits_avx512(const Word* hubs, const Word* visited, std::size_t words, Word* out);

/// The owner's pass of a bottom-up level on several grid columns: which hubs are visited is told to all
/// ranks, and what has one among its kept hubs is found by its owner, who asks nobody (docs/adr/0043). A
/// visited neighbour of an unvisited vertex is on the last level, so the parents are right.
class HubPass {
 public:
  /// @param graph, world  outlive this; the graph has hubs
  HubPass(const Graph& graph, const Communicator& world);

  /// Before a search.
  void reset();
  /// All hubs were visited when they were last told: nothing more will be found by them.
  bool is_over() const { return is_over_; }
  /// Collective. Tells all ranks which hubs are visited, 64 of a rank in 8 bytes.
  /// @param visited  own vertices
  void tell(const Word* visited);
  /// What the own vertices find by what was told last.
  /// @param next    own words: visited and found
  /// @param parent  by own vertex; written where the parent is not the first kept hub
  LevelCounts find(const Word* visited, Word* next, std::int64_t* parent);
  /// Own vertices whose parent is their first kept hub.
  const Word* by_first() const { return by_first_.data(); }

 private:
  const Graph& graph_;
  const Communicator& world_;
  HubPassSteps steps_;
  std::vector<std::int64_t> words_of_rank_;
  LargeArray<Word> visited_hubs_;
  LargeArray<Word> by_first_;
  std::size_t words_with_hubs_ = 0;  // own words, up to the last that has a hub
  bool is_over_ = false;
};

}  // namespace isobath
