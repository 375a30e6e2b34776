// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/piece_list.hpp"

namespace isobath {

/// One end of an edge as the other sees it.
struct WeightedArc {
  std::uint32_t to;
  float weight;
  friend bool operator==(const WeightedArc&, const WeightedArc&) = default;
};

/// The arcs of every row, one row after the other.
struct WeightedRows {
  LargeArray<std::uint64_t> start;  // rows + 1
  LargeArray<WeightedArc> arc;

  std::size_t num_rows() const { return start.size() == 0 ? 0 : start.size() - 1; }
  std::uint64_t num_arcs() const { return arc.size(); }
  std::span<const WeightedArc> of(std::size_t row) const {
    return {arc.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
  std::span<WeightedArc> mutable_of(std::size_t row) {
    return {arc.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
};

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

/// An arc, and the row it goes to.
struct RowArc {
  std::uint32_t row;
  WeightedArc arc;
};

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
  result.arc = LargeArray<WeightedArc>(result.start[rows.num_rows()]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    std::copy_n(rows.of(row).begin(), result.start[row + 1] - result.start[row],
                result.arc.data() + result.start[row]);
  }
  return result;
}

}  // namespace isobath
