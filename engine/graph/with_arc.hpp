// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/piece_list.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// A bit for each of `count` sources that has an arc here, and the same of targets; of some alone where
/// `enough` of them have.
LargeArray<Word> sources_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough);
LargeArray<Word> targets_with_arc(const DealtArcs& arcs, std::size_t count, std::size_t enough);
/// The same of weighted arcs whose ends are positions of originals, as they were delivered.
LargeArray<Word> sources_with_arc(const PieceList<RowArc>& arcs, std::size_t count, std::size_t enough);
LargeArray<Word> targets_with_arc(const PieceList<RowArc>& arcs, std::size_t count, std::size_t enough);

}  // namespace isobath
