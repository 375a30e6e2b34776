// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// The parents that a search of the main component most likely finds, in original order, ready to be written:
/// of every searched vertex its first neighbour, which nine in ten are found by, of every leaf its only one.
/// On several grid columns the first neighbour is not known; there it is the first kept hub (graph/hubs.hpp).
/// Emit writes these and puts right the few that were found otherwise (docs/adr/0014).
struct LikelyParents {
  /// Own original -> original number of the likely parent, -1 outside the main component; padded to whole
  /// emit blocks.
  LargeArray<std::int32_t> of;
  std::int64_t known = 0;                   // vertices that have one
  std::vector<std::uint32_t> heavy;         // working numbers of the heavy vertices in original order
  std::vector<std::uint32_t> heavy_before;  // so many before each emit block, and all of them at the end
};

/// Rows are complete; or there are hubs, and originals fit 31 bits.
bool can_have_likely_parents(const Graph& graph);
/// The same, and vertices stand by families: corrections of the likely parents are dealt (DealtParents).
bool can_deal_parents(const Graph& graph);

/// @param graph           can have them
/// @param in_main         own searched vertices of the main component
/// @param leaves_in_main  own leaves of the main component
LikelyParents likely_parents(const Graph& graph, std::span<const Word> in_main,
                             std::span<const Word> leaves_in_main);

}  // namespace isobath
