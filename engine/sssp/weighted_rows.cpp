// SPDX-License-Identifier: Apache-2.0
#include "sssp/weighted_rows.hpp"

#include <atomic>
#include <utility>

namespace isobath {
namespace {

template <class Visit>
void for_each_piece(std::vector<PieceList<RowArc>>& lists, Visit&& visit) {
  for (auto& list : lists) {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t k = 0; k < list.num_pieces(); ++k) visit(list, k);
  }
}

}  // namespace

void counts_to_starts(LargeArray<std::uint64_t>& start) {
  for (std::size_t row = 1; row < start.size(); ++row) start[row] += start[row - 1];
}

WeightedRows make_rows(std::size_t num_rows, std::vector<PieceList<RowArc>> lists) {
  LargeArray<std::uint64_t> start(num_rows + 1);
  for_each_piece(lists, [&](PieceList<RowArc>& list, std::size_t k) {
    for (const RowArc& arc : list.piece(k)) {
      std::atomic_ref(start[arc.row + 1]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  counts_to_starts(start);
  WeightedRows rows{std::move(start), {}};
  rows.neighbour = LargeArray<WeightedArc>(rows.start[num_rows]);
  LargeArray<std::uint32_t> filled(num_rows);
  for_each_piece(lists, [&](PieceList<RowArc>& list, std::size_t k) {
    for (const RowArc& arc : list.piece(k)) {
      const std::uint32_t place = std::atomic_ref(filled[arc.row]).fetch_add(1, std::memory_order_relaxed);
      rows.neighbour[rows.start[arc.row] + place] = arc.arc;
    }
    list.release(k);
  });

  return rows;
}

}  // namespace isobath
