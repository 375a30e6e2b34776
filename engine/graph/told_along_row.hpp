// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "comm/grid.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Targets that a rank tells another of at a time: 128 ranges of 65,536 where there are so many, so that
/// every thread has some. Not by its threads, for others may have fewer, and both ends count the pieces.
constexpr std::int64_t targets_told_at_a_time = std::int64_t{1} << 23;

/// Collective over the grid row. Of every own vertex what the ranks of the grid row know of it, each of which
/// has a part of its arcs: one after the other a rank tells the others theirs, piece by piece. So no rank has
/// more than two pieces beside its own vertices.
/// @param part_of  part_of(first, end): of the targets [first, end) of the grid row what is known here, an
///                 entry each
/// @param merge    merge(own, arrived): adds to an own entry; by several threads
/// @param piece    targets, the same number on all ranks
template <class T, class PartOf, class Merge>
LargeArray<T> told_along_row(const BlockPartition& blocks, const Grid& grid, PartOf&& part_of, Merge&& merge,
                             std::int64_t piece = targets_told_at_a_time) {
  const GridShape shape = grid.shape;
  std::vector<std::int64_t> first = {0};  // target of every block of the grid row, and the end
  std::int64_t longest = 0;
  for (int col = 0; col < shape.cols; ++col) {
    const std::int64_t size = blocks.size(shape.rank_at(grid.row, col));
    first.push_back(first.back() + size);
    longest = std::max(longest, size);
  }
  // A piece of a block, or nothing behind its end.
  const auto cut = [&](int col, std::int64_t from) {
    const auto k = static_cast<std::size_t>(col);
    const std::int64_t begin = std::min(first[k] + from, first[k + 1]);
    return std::pair(begin, std::min(begin + piece, first[k + 1]));
  };
  LargeArray<T> own =
      part_of(first[static_cast<std::size_t>(grid.col)], first[static_cast<std::size_t>(grid.col) + 1]);
  LargeArray<T> room(shape.cols > 1 ? std::min(own.size(), static_cast<std::size_t>(piece)) : 0);
  for (int step = 1; step < shape.cols; ++step) {
    const int to = (grid.col + step) % shape.cols;
    const int from = (grid.col + shape.cols - step) % shape.cols;
    for (std::int64_t at = 0; at < longest; at += piece) {
      const auto [begin, end] = cut(to, at);
      const auto [own_begin, own_end] = cut(grid.col, at);
      const LargeArray<T> told = part_of(begin, end);
      const std::span<T> arrived = room.span().first(static_cast<std::size_t>(own_end - own_begin));
      grid.row_comm.send_receive<T>(told.span(), to, arrived, from);
      const std::span<T> asked = own.span().subspan(std::min(own.size(), static_cast<std::size_t>(at)));
#pragma omp parallel for schedule(static)
      for (std::size_t v = 0; v < arrived.size(); ++v) merge(asked[v], arrived[v]);
    }
  }
  return own;
}

}  // namespace isobath
