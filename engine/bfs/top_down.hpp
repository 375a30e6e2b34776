// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/bitmap.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// One top-down step over a part of the frontier, one thread, no MPI: every arc out of the frontier whose target is
/// unvisited marks it and proposes its source as parent. Arcs first_arc .. end_arc - 1 are counted over the rows of
/// the frontier laid one after the other, so that a hub can be shared by threads.
///
/// @param arcs_before  arcs of the frontier's rows before each, and their sum at the end
/// @param visited      this thread's alone; bits are added
/// @param parent_col   by row; two threads may write different parents of one target, both on the last level
void top_down_step(const Rows& rows, std::span<const std::uint32_t> frontier,
                   std::span<const std::uint64_t> arcs_before, std::uint64_t first_arc, std::uint64_t end_arc,
                   Word* visited, std::uint32_t* parent_col);

/// The same for a small frontier: appends the targets to `next` and returns how many.
std::size_t top_down_small(const Rows& rows, std::span<const std::uint32_t> frontier, Word* visited,
                           std::uint32_t* parent_col, std::uint32_t* next);

}  // namespace isobath
