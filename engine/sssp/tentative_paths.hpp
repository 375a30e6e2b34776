// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "graph/graph.hpp"
#include "sssp/sweep.hpp"

namespace isobath {

/// Tentative distances and parents as one rank of a grid has them: its own vertices', which it decides; what
/// it was told or has proposed of its columns'; and bounds of its rows'. Where all arcs of a row are here, on
/// one grid column, its rows are its own vertices, and their distances stand once, among those of the
/// columns. Rows and columns are named by their places (PresentIndices).
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
  bool lower_from_column(std::uint32_t own, float distance, std::uint32_t parent_col) {
    return lower(own, distance, parent_col);
  }
  bool lower_from_original(std::uint32_t own, float distance, std::int64_t parent);
  /// The parent is that of the row on another rank of the grid row, which is asked for it at the end.
  bool lower_from_rank(std::uint32_t own, float distance, int grid_col);
  /// Calls visit(own, grid_col) for every reached own vertex whose parent another rank of the grid row has.
  template <class Visit>
  void for_each_parent_elsewhere(Visit&& visit) const {
    const std::span<const float> distance = distances();
    const std::span<const std::uint32_t> parent = parents();
    for (std::uint32_t own = 0; own < distance.size(); ++own) {
      if (parent[own] != not_a_column || !(distance[own] < unreached) || original_parent_[own] >= 0) continue;
      visit(own, static_cast<int>(~original_parent_[own]));
    }
  }
  void set_original_parent(std::uint32_t own, std::int64_t parent) { original_parent_[own] = parent; }
  /// Whether rows [first, first + count) were lowered, by adopting or by a sweep: a bit for each, 16 to an
  /// entry, which whoever has seen them clears. @param first  a multiple of 16
  std::span<std::uint16_t> lowered_rows(std::uint32_t first, std::uint32_t count) {
    return lowered_.span().subspan(first / rows_of_entry, (count + rows_of_entry - 1) / rows_of_entry);
  }

  /// Of the own searched vertices, by working number.
  std::span<const float> distances() const { return {own_distance_, graph_.layout.own_searched()}; }
  /// Places of columns, or not_a_column; only where reached.
  std::span<const std::uint32_t> parents() const {
    return parent_.span().subspan(own_row_, graph_.layout.own_searched());
  }
  /// Original numbers of parents that are no columns; empty on one grid column.
  std::span<const std::int64_t> original_parents() const { return original_parent_.span(); }

  /// Places of the first own row and column.
  std::uint32_t own_row() const { return own_row_; }
  std::uint32_t own_col() const { return own_col_; }

  /// By column, and last the missing one: of own vertices the tentative distance, of others no less than it.
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
  std::uint32_t own_row_;
  std::uint32_t own_col_;
  LargeArray<float> known_;
  LargeArray<float>
      bound_;  // by row, on several grid columns: of own vertices the distance, of others what was proposed
  float* own_distance_ = nullptr;             // in one of the two
  LargeArray<std::uint32_t> parent_;          // by row: a column, or not_a_column
  LargeArray<std::int64_t> original_parent_;  // own, on several grid columns; ~c: rank c of the row has it
  LargeArray<std::uint16_t> lowered_;         // by row: SweepTask::lowered
};

inline bool TentativePaths::lower(std::uint32_t own, float distance, std::uint32_t parent_col) {
  if (!(distance < own_distance_[own])) return false;
  own_distance_[own] = distance;
  known_[own_col_ + own] = distance;
  const std::size_t row = std::size_t{own_row_} + own;
  parent_[row] = parent_col;
  std::uint16_t& lowered = lowered_[row / rows_of_entry];
  lowered = static_cast<std::uint16_t>(lowered | 1U << row % rows_of_entry);
  return true;
}

}  // namespace isobath
