// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Collective over the grid row. Of every own vertex what the ranks of the grid row know of it, each of which
/// has a part of its arcs: one after the other a rank tells the others theirs. So no rank has more than two
/// parts at once.
/// @param part_of  part_of(first, end): of the targets [first, end) of the grid row what is known here, an
///                 entry each
/// @param merge    merge(own, arrived): adds to an own entry
template <class T, class PartOf, class Merge>
LargeArray<T> told_along_row(const BlockPartition& blocks, const Grid& grid, PartOf&& part_of,
                             Merge&& merge) {
  const GridShape shape = grid.shape;
  std::vector<std::int64_t> first = {0};  // target of every block of the grid row, and the end
  for (int col = 0; col < shape.cols; ++col)
    first.push_back(first.back() + blocks.size(shape.rank_at(grid.row, col)));
  const auto part_of_block = [&](int col) {
    return part_of(first[static_cast<std::size_t>(col)], first[static_cast<std::size_t>(col) + 1]);
  };
  LargeArray<T> own = part_of_block(grid.col);
  LargeArray<T> arrived(shape.cols > 1 ? own.size() : 0);
  for (int step = 1; step < shape.cols; ++step) {
    const int to = (grid.col + step) % shape.cols;
    const int from = (grid.col + shape.cols - step) % shape.cols;
    const LargeArray<T> part = part_of_block(to);
    grid.row_comm.send_receive<T>(part.span(), to, arrived.span(), from);
    for (std::size_t v = 0; v < own.size(); ++v) merge(own[v], arrived[v]);
  }
  return own;
}

}  // namespace isobath
