// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "graph/graph.hpp"
#include "graph/likely_parents.hpp"

namespace isobath {

/// What a search on complete rows (one grid column) leaves for emit.
struct FoundOneColumn {
  const Graph& graph;
  const Word* visited;              // own searched vertices
  const Word* visited_cols;         // all searched vertices: a leaf is reached where its neighbour is
  const Word* by_first_neighbour;   // own: the parent is the first neighbour
  const std::uint32_t* parent_col;  // own: the parent's column, where by_first_neighbour is not set
};

/// An own searched vertex and its parent: the original number, where that has 31 bits; or a hub, whose
/// original is looked up when many are known, and memory can be asked for it ahead.
struct FoundParent {
  std::uint32_t own;
  std::int32_t code;  // the original number, or the complement of the hub number

  static FoundParent by_original(std::uint32_t own, std::int64_t original) {
    return {own, static_cast<std::int32_t>(original)};
  }
  static FoundParent by_hub(std::uint32_t own, std::uint32_t hub) {
    return {own, ~static_cast<std::int32_t>(hub)};
  }
  bool is_hub() const { return code < 0; }
  std::uint32_t hub() const { return static_cast<std::uint32_t>(~code); }
  std::int32_t original(const Hubs& hubs) const {
    return is_hub() ? static_cast<std::int32_t>(hubs.original[hub()]) : code;
  }
};

/// Parents in the order in which one thread found them. Lists of several threads share no cache line.
class alignas(64) ListedParents {
 public:
  void clear() { size_ = 0; }
  void add(FoundParent found) {
    if (size_ == room_.size()) grow();
    room_[size_++] = found;
  }
  std::span<const FoundParent> all() const { return std::span(room_).first(size_); }

 private:
  void grow();  // apart: vectorised steps add, and whatever is not inlined there must not be shared

  std::vector<FoundParent> room_;
  std::size_t size_ = 0;
};

/// What a search on a wider grid leaves: parents that travelled to their owners as original numbers.
struct FoundSeveralColumns {
  const Graph& graph;
  const Word* visited;
  const Word* by_first_hub;    // own: the parent is the first kept hub; nullptr where no hubs are kept
  const std::int64_t* parent;  // own searched vertex -> original number of its parent, where it is another;
                               // nullptr where parents are dealt from the lists
  const Word* reached_leaves;  // own leaves whose component is the root's, or nullptr for none
  // What `parent` has, in no order, one list of each thread: only for DealtParents, which needs no `parent`.
  std::span<const ListedParents> listed = {};
};

// Found is either of the two above.

/// Writes the parents of the own vertices of emit blocks [first_block, end_block) in original order, each
/// slot once, -1 where not reached. Heavy vertices are left to emit_heavy. One thread; see docs/adr/0014.
template <class Found>
void emit_blocks(const Found& found, std::int64_t first_block, std::int64_t end_block, GlobalVertex* out);

/// Heavy vertices [first, end) by working number: a scatter, after the blocks.
template <class Found>
void emit_heavy(const Found& found, std::uint32_t first, std::uint32_t end, GlobalVertex* out);

/// Vertices by name, which were all reached; the other slots stay as they are.
template <class Found>
void emit_listed(const Found& found, std::span<const std::uint32_t> working, GlobalVertex* out);

/// As emit_blocks and emit_heavy together, for a search that reached the whole main component and nothing
/// else: the likely parents are written, and put right on the way where the search found another.
void emit_main_component(const FoundSeveralColumns& found, const LikelyParents& likely, InstructionSet set,
                         std::int64_t first_block, std::int64_t end_block, GlobalVertex* out);
void emit_main_component(const FoundOneColumn& found, const LikelyParents& likely, InstructionSet set,
                         std::int64_t first_block, std::int64_t end_block, GlobalVertex* out);

}  // namespace isobath
