// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/instruction_set.hpp"
#include "graph/emit_parents.hpp"

namespace isobath {

/// Emit after a search of the main component where working order is not original order (families): the few
/// parents that are not the likely ones are dealt into ranges of originals so narrow that a range of parents
/// stays in cache; then every range is copied from the likely parents, put right and written, whole cache
/// lines at a time. See docs/adr/0025.
///
/// All threads of a parallel region: deal() for shares of the working numbers, or of lists, a barrier,
/// write() for the ranges. Memory: 8 bytes a searched vertex, and 512 for every range and thread.
class DealtParents {
 public:
  DealtParents(const Numbering& numbering, int threads);

  /// Before the first deal() of a search, by one thread.
  void clear();
  /// Parents of the own searched vertices of row words [first_word, end_word) that are not the likely ones.
  void deal(const FoundOneColumn& found, InstructionSet set, std::size_t first_word, std::size_t end_word,
            int thread);
  /// The same of listed vertices. @param graph  theirs, on several grid columns
  void deal(const Graph& graph, std::span<const FoundParent> listed, int thread);
  /// Writes the parents of a range, each slot once.
  void write(const LikelyParents& likely, InstructionSet set, std::size_t range, GlobalVertex* out,
             int thread);
  std::size_t num_ranges() const { return num_ranges_; }

 private:
  struct Entry {
    std::uint32_t original;
    std::int32_t parent;
  };
  /// Entries of one range by one thread. A full chunk is followed by another, so that nobody has to count
  /// first and no two threads write side by side.
  struct alignas(512) Chunk {
    static constexpr std::size_t room = 63;
    Entry entry[room];
    const Chunk* before;
  };
  static_assert(sizeof(Chunk) == 512);
  struct Scratch {
    LargeArray<Chunk> first;           // per range
    LargeArray<Entry*> next;           // per range: where the next entry goes
    LargeArray<std::int32_t> parents;  // of one range
  };

  void add(Entry** next, Entry entry);
  Entry* continued(Entry* end);
  static const Chunk* chunk_of(const Entry* at);

  std::int64_t num_originals_;
  int shift_;  // a range has 2^shift_ originals
  std::size_t num_ranges_;
  LargeArray<Chunk> more_;        // enough for every searched vertex
  std::size_t taken_ = 0;         // of them; by all threads
  std::vector<Scratch> scratch_;  // per thread
};

}  // namespace isobath
