// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/bitmap.hpp"
#include "graph/families.hpp"
#include "graph/rows.hpp"

namespace isobath {

// On one grid column (OneColumn).

/// A part of the arcs out of a frontier: arcs first_arc .. end_arc - 1, counted over the arcs of all sources
/// of the frontier one after the other, so that threads can share the arcs of one source.
struct ArcRange {
  std::span<const std::uint32_t> frontier;
  std::span<const std::uint64_t> arcs_before;  // before those of each source; behind them the sum
  std::uint64_t first_arc;
  std::uint64_t end_arc;
};

/// Every arc of the part whose target is unvisited marks it and proposes its source as parent. Arcs from a
/// head to its family are passed over: the caller has marked the followers of the frontier.
///
/// @param visited     this thread's alone; bits are added
/// @param parent_col  by row; two threads may write different parents of one target, both on the frontier
void propose_parents(const Rows& rows, const Families& families, const ArcRange& arcs, Word* visited,
                     std::uint32_t* parent_col);

/// The same where threads share `visited`, for levels too small to give each of them a bitmap: whoever sets
/// the bit of a target first writes its parent and lists it. Families are not passed over.
///
/// @param found  room for every arc of the part
/// @return how many targets are listed
std::size_t claim_targets(const Rows& rows, const ArcRange& arcs, std::span<Word> visited,
                          std::uint32_t* parent_col, std::uint32_t* found);

/// By one thread, a whole small frontier: lists the targets in `next`, from its begin, and returns how many.
std::size_t top_down_small(const Rows& rows, std::span<const std::uint32_t> frontier, Word* visited,
                           std::uint32_t* parent_col, std::uint32_t* next);

}  // namespace isobath
