// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "graph/graph.hpp"
#include "sssp/sweep.hpp"

namespace isobath {

/// Tentative distances and parents as one rank of a grid has them: its own vertices', which it decides; what
/// it was told or has proposed of its columns'; and bounds of its rows'. Where all arcs of a row are here, on
/// one grid column, its rows are its own vertices, and their distances stand once, among those of the
/// columns.
class TentativePaths {
 public:
  /// Stands for a parent that is no column here; original_parents() has it.
  static constexpr std::uint32_t not_a_column = 0xFFFFFFFF;

  /// @param graph  weighted; outlives this
  explicit TentativePaths(const Graph& graph);

  /// Nothing is reached.
  void reset();
  /// Lowers the distance of an own vertex. Only a smaller one changes the parent: arcs that add nothing make
  /// no cycles.
  /// @returns whether it was smaller
  bool lower_from_column(std::uint32_t own, float distance, std::uint32_t parent_col);
  bool lower_from_original(std::uint32_t own, float distance, std::int64_t parent);
  /// Own vertices lowered since the last call, by adopting or by a sweep: calls visit(own), ascending.
  template <class Visit>
  void take_lowered(Visit&& visit) {
    const std::uint32_t first = graph_.layout.own_row();
    take_lowered_rows(first, first + graph_.layout.own_searched(),
                      [&](std::uint32_t row) { visit(row - first); });
  }
  /// The same for rows [first, end) of one owner, who begins at a whole piece.
  template <class Visit>
  void take_lowered_rows(std::uint32_t first, std::uint32_t end, Visit&& visit) {
    for (std::size_t entry = first / rows_of_entry; entry * rows_of_entry < end; ++entry) {
      for (unsigned rows = lowered_[entry]; rows != 0; rows &= rows - 1) {
        visit(static_cast<std::uint32_t>(entry * rows_of_entry) +
              static_cast<std::uint32_t>(std::countr_zero(rows)));
      }
      lowered_[entry] = 0;
    }
  }

  /// Of the own searched vertices, by working number.
  std::span<const float> distances() const { return {own_distance_, graph_.layout.own_searched()}; }
  /// Columns, or not_a_column; only where reached.
  std::span<const std::uint32_t> parents() const {
    return parent_.span().subspan(graph_.layout.own_row(), graph_.layout.own_searched());
  }
  /// Original numbers of parents that are no columns; empty on one grid column.
  std::span<const std::int64_t> original_parents() const { return original_parent_.span(); }

  /// By column: of own vertices the tentative distance, of others no less than it.
  float* known() { return known_.data(); }
  const float* known() const { return known_.data(); }
  /// A vertex of another owner is no farther, as one hears by the way: nothing that is not nearer need be
  /// offered to it.
  void hear_of_column(std::uint32_t col, float distance) { known_[col] = std::min(known_[col], distance); }
  void hear_of_row(std::uint32_t row, float distance) { bound_[row] = std::min(bound_[row], distance); }
  /// What a sweep reads and writes here.
  SweepTask sweep_task(const PullStreams& streams, float least_source, float settled);

 private:
  bool lower(std::uint32_t own, float distance, std::uint32_t parent_col);

  const Graph& graph_;
  LargeArray<float> known_;
  LargeArray<float>
      bound_;  // by row, on several grid columns: of own vertices the distance, of others what was proposed
  float* own_distance_ = nullptr;             // in one of the two
  LargeArray<std::uint32_t> parent_;          // by row: a column, or not_a_column
  LargeArray<std::int64_t> original_parent_;  // own, on several grid columns
  LargeArray<std::uint16_t> lowered_;         // by row: SweepTask::lowered
};

}  // namespace isobath
