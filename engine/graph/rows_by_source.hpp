// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/grid.hpp"
#include "graph/layout.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Collective over the grid column. The arcs of finished rows once more, by source: of every column the rows
/// here that have it as a neighbour, heavy ones first. Nothing is sorted again.
/// @param by_target  rows of all own targets in the order of HeavyFirst, copies on both sides or on none
Rows rows_by_source(const Rows& by_target, const GridLayout& layout, const Grid& grid);

}  // namespace isobath
