// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "graph/layout.hpp"
#include "graph/numbering.hpp"

namespace isobath {

/// Maps from the originals of this rank's grid column and grid row to its columns and rows (or
/// Numbering::leaf, Numbering::isolated). Needed in construction only. On one rank both are the numbering's
/// own map, not a copy.
struct GridCodes {
  std::span<const std::uint32_t> col;  // by original, counted from the first of the grid column
  std::span<const std::uint32_t> row;  // by position in the grid row's blocks laid one after the other
  LargeArray<std::uint32_t> col_stored;
  LargeArray<std::uint32_t> row_stored;
};

/// Collective over the grid's communicators.
GridCodes gather_codes(const GridLayout& layout, const Numbering& numbering, const Grid& grid);

/// The originals of a grid column, and those of a grid row, are numbered with 32 bits, of which the codes of
/// leaf and isolated take some. Asked before anything is allocated.
/// @throws RefusedError when there are more than 2^31
void check_id_widths(const BlockPartition& blocks, GridShape shape);

/// An arc on its way to the rank that stores it, ends as positions in that rank's GridCodes.
struct RoutedArc {
  std::uint32_t source;
  std::uint32_t target;
};

/// Says where arcs are stored: arc s -> t in grid row of t, grid column of s.
class ArcRouter {
 public:
  explicit ArcRouter(const GridLayout& layout);
  std::pair<int, RoutedArc> route(GlobalVertex source, GlobalVertex target) const;

 private:
  GridShape shape_;
  BlockPartition blocks_;
  std::vector<std::int64_t> row_base_;  // per block: its first position in its grid row
  std::vector<std::int64_t> col_base_;  // per grid column: its first original
};

}  // namespace isobath
