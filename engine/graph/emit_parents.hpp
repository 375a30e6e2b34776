// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

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

/// What a search on a wider grid leaves: parents that travelled to their owners as original numbers.
struct FoundSeveralColumns {
  const Graph& graph;
  const Word* visited;
  const Word* by_first_hub;    // own: the parent is the first kept hub; nullptr where no hubs are kept
  const std::int64_t* parent;  // own searched vertex -> original number of its parent, where it is another
  const Word* reached_leaves;  // own leaves whose component is the root's, or nullptr for none
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
