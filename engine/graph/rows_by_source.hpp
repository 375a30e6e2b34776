// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "graph/layout.hpp"
#include "graph/rows.hpp"

namespace isobath {

struct Graph;

/// Whether, on several grid columns, every thread counts the arcs of each column and puts them where they are
/// to stand: where what all threads count is at most a quarter of the arcs, of which there are fewer than
/// 2^32. Otherwise arcs are dealt by ranges of columns first, as they are where columns are hypersparse.
bool are_counted_by_column(std::uint64_t arcs, std::uint64_t cols);

/// Collective over the grid column. The arcs of finished rows once more, by source: of every column the rows
/// here that have it as a neighbour, ascending: in every piece heavy ones first. Nothing is sorted again.
/// @param by_target  rows of all own targets in the order of HeavyFirst, copies on both sides or on none
/// @param room  memory that is used where it suffices, with anything in it
Rows rows_by_source(const Rows& by_target, const GridLayout& layout, const Grid& grid,
                    LargeArray<std::uint32_t> room = {});

/// Collective over the grid column. The same of a graph whose rows by target are finished: where its columns
/// are known to be hypersparse, those without an arc never have a start.
/// @param arcs_at_a_time  of hypersparse columns, that are there twice while they are laid, the usual number
///                        in 200 MB. For each as many all rows are read twice
void build_rows_by_source(Graph& graph, const Grid& grid, LargeArray<std::uint32_t> room,
                          std::uint64_t arcs_at_a_time = std::uint64_t{1} << 25);

}  // namespace isobath
