// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/piece_list.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// start[r + 1] counts row r; afterwards start[r] is where row r begins.
void counts_to_starts(LargeArray<std::uint64_t>& start);

/// Moves the arcs that are kept to the front, by target, of several to one target the lightest; how many.
template <class Keep>
std::size_t keep_in_front(std::span<WeightedArc> row, Keep&& keep) {
  const auto kept = std::partition(row.begin(), row.end(), keep);
  std::sort(row.begin(), kept, [](const WeightedArc& a, const WeightedArc& b) {
    return a.to != b.to ? a.to < b.to : a.weight < b.weight;
  });
  const auto same_target = [](const WeightedArc& a, const WeightedArc& b) { return a.to == b.to; };
  return static_cast<std::size_t>(std::unique(row.begin(), kept, same_target) - row.begin());
}

/// Rows of the arcs in `lists`, in any order, copies of an edge included. All threads work; pieces of the
/// lists go back to the system on the way.
WeightedRows make_rows(std::size_t num_rows, std::vector<PieceList<RowArc>> lists);

/// The arcs of row r for which keep(r, arc) holds, in their order of targets; of several to one target the
/// lightest.
template <class Keep>
WeightedRows selected_rows(WeightedRows rows, Keep&& keep) {
  WeightedRows result;
  result.start = LargeArray<std::uint64_t>(rows.start.size());
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    result.start[row + 1] =
        keep_in_front(rows.mutable_of(row), [&](const WeightedArc& arc) { return keep(row, arc); });
  }
  counts_to_starts(result.start);
  result.neighbour = LargeArray<WeightedArc>(result.start[rows.num_rows()]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    std::copy_n(rows.of(row).begin(), result.start[row + 1] - result.start[row],
                result.neighbour.data() + result.start[row]);
  }
  return result;
}

}  // namespace isobath
