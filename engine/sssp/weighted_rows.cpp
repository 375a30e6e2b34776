// SPDX-License-Identifier: Apache-2.0
#include "sssp/weighted_rows.hpp"

#include <algorithm>
#include <atomic>

namespace isobath {
namespace {

/// start[r + 1] counts row r; afterwards start[r] is where row r begins.
void counts_to_starts(LargeArray<std::uint64_t>& start) {
  for (std::size_t row = 1; row < start.size(); ++row) start[row] += start[row - 1];
}

template <class Visit>
void for_each_piece(std::vector<PieceList<RowArc>>& lists, Visit&& visit) {
  for (auto& list : lists) {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t k = 0; k < list.num_pieces(); ++k) visit(list, k);
  }
}

/// The row's arcs by target, the lightest of each; returns how many are left.
std::size_t sort_row(std::span<WeightedArc> row) {
  const auto before = [](const WeightedArc& a, const WeightedArc& b) {
    return a.to != b.to ? a.to < b.to : a.weight < b.weight;
  };
  std::sort(row.begin(), row.end(), before);
  const auto same_target = [](const WeightedArc& a, const WeightedArc& b) { return a.to == b.to; };
  return static_cast<std::size_t>(std::unique(row.begin(), row.end(), same_target) - row.begin());
}

}  // namespace

WeightedRows make_rows(std::size_t num_rows, std::vector<PieceList<RowArc>> lists) {
  LargeArray<std::uint64_t> start(num_rows + 1);
  for_each_piece(lists, [&](PieceList<RowArc>& list, std::size_t k) {
    for (const RowArc& arc : list.piece(k)) {
      std::atomic_ref(start[arc.row + 1]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  counts_to_starts(start);
  LargeArray<WeightedArc> gathered(start[num_rows]);
  LargeArray<std::uint32_t> filled(num_rows);
  for_each_piece(lists, [&](PieceList<RowArc>& list, std::size_t k) {
    for (const RowArc& arc : list.piece(k)) {
      const std::uint32_t place = std::atomic_ref(filled[arc.row]).fetch_add(1, std::memory_order_relaxed);
      gathered[start[arc.row] + place] = arc.arc;
    }
    list.release(k);
  });

  WeightedRows rows;
  rows.start = LargeArray<std::uint64_t>(num_rows + 1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < num_rows; ++row) {
    rows.start[row + 1] = sort_row({gathered.data() + start[row], filled[row]});
  }
  counts_to_starts(rows.start);
  rows.arc = LargeArray<WeightedArc>(rows.start[num_rows]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < num_rows; ++row) {
    std::copy_n(gathered.data() + start[row], rows.start[row + 1] - rows.start[row],
                rows.arc.data() + rows.start[row]);
  }
  return rows;
}

}  // namespace isobath
