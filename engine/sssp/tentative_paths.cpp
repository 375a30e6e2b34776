// SPDX-License-Identifier: Apache-2.0
#include "sssp/tentative_paths.hpp"

#include <algorithm>

namespace isobath {

TentativePaths::TentativePaths(const Graph& graph)
    : graph_(graph),
      own_row_(graph.weighted_rows.first_place(static_cast<std::size_t>(graph.layout.grid_col()))),
      own_col_(graph.weighted_cols.first_place(static_cast<std::size_t>(graph.layout.grid_row()))),
      known_(graph.weighted_cols.count() + piece_bits),
      parent_(graph.weighted_rows.count()),
      lowered_(graph.weighted_rows.count() / rows_of_entry) {
  static_assert(PresentIndices::whole_places % rows_of_entry == 0);
  if (graph.layout.rows_are_complete()) {
    own_distance_ = known_.data() + own_col_;
    return;
  }
  bound_ = LargeArray<float>(graph.weighted_rows.count());
  original_parent_ = LargeArray<std::int64_t>(graph.layout.own_searched());
  own_distance_ = bound_.data() + own_row_;
}

void TentativePaths::reset() {
  const auto fill = [](std::span<float> values) {
    const std::size_t size = values.size();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < size; ++i) values[i] = unreached;
  };
  fill(known_.span());
  fill(bound_.span());
  std::fill(lowered_.begin(), lowered_.end(), 0);
}

bool TentativePaths::lower_from_original(std::uint32_t own, float distance, std::int64_t parent) {
  if (!lower(own, distance, not_a_column)) return false;
  original_parent_[own] = parent;
  return true;
}

bool TentativePaths::lower_from_rank(std::uint32_t own, float distance, int grid_col) {
  return lower_from_original(own, distance, ~std::int64_t{grid_col});
}

SweepTask TentativePaths::sweep_task(const PullStreams& streams, float least_source, float settled) {
  return {.rows = &graph_.weighted,
          .compact_rows = &graph_.compact_weighted,
          .streams = streams,
          .source = known_.data(),
          .distance = bound_.size() == 0 ? own_distance_ : bound_.data(),
          .parent = parent_.data(),
          .lowered = lowered_.data(),
          .least_source = least_source,
          .settled = settled};
}

}  // namespace isobath
