// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_leaves.hpp"

namespace isobath {

GridLeaves::GridLeaves(const Graph& graph, const Grid& grid)
    : graph_(graph),
      grid_(grid),
      told_(graph.told_leaves.col.size()),
      heard_(graph.told_leaves.leaf.size()),
      distance_(heard_.size()) {}

void GridLeaves::hear(const float* known, SearchObserver& observer) {
  if (graph_.layout.rows_are_complete()) return;
  observer.phase(Phase::fold);
  const ToldLeaves& leaves = graph_.told_leaves;
  const std::size_t told = told_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < told; ++i) told_[i] = known[leaves.col[i]] + leaves.weight[i];
  grid_.row_comm.alltoallv<float>(told_.span(), leaves.counts, heard_.span());
  const std::size_t heard = heard_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < heard; ++i) distance_[leaves.leaf[i]] = heard_[i];
}

}  // namespace isobath
