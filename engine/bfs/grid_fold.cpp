// SPDX-License-Identifier: Apache-2.0
// Fold of GridSearch: proposals travel along the grid row to the owners of their targets, which adopt them.
// Top-down on several grid columns stands here, because it is little else.
#include "bfs/grid_fold.hpp"

#include <algorithm>
#include <bit>

#include "bfs/grid_search.hpp"

namespace isobath {

void GridSearch::pack_outgoing() {
  const GridLayout& layout = graph_.layout;
  const int source_bits = source_bits_of(layout, layout.grid_col());
  for (std::size_t col = 0; col < outgoing_.size(); ++col) {
    packed_[col].clear();
    if (switches_.fold == FoldForm::packed) pack_proposals(outgoing_[col], source_bits, packed_[col]);
  }
}

std::int64_t GridSearch::top_down_afar(std::span<const std::uint32_t> frontier, SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const Rows& rows = graph_.by_source();
  const std::size_t cols = outgoing_.size();
  for (auto& proposals : outgoing_) proposals.clear();
#pragma omp parallel
  {
    std::vector<std::vector<Proposal>> mine(cols);
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < frontier.size(); ++k) {
      const std::uint32_t source = graph_.column_original[frontier[k]];
      for (const std::uint32_t row : rows.of(frontier[k])) {
        if (!claim_bit(proposed_.span(), row)) continue;
        const auto col = static_cast<std::size_t>(
            std::upper_bound(layout.row_offset.begin(), layout.row_offset.end(), row) -
            layout.row_offset.begin() - 1);
        mine[col].push_back({row - layout.row_offset[col], source});
      }
    }
#pragma omp critical
    for (std::size_t col = 0; col < cols; ++col) {
      outgoing_[col].insert(outgoing_[col].end(), mine[col].begin(), mine[col].end());
    }
  }
  // The first proposal that arrives wins, and makes the next frontier.
  frontier_size_ = 0;
  held_as_ = FrontierHeldAs::list;
  fold(observer, [this](const Proposal& proposal, std::int64_t base) {
    if (test_bit(visited_.span(), proposal.target)) return;
    set_bit(visited_.span(), proposal.target);
    frontier_[frontier_size_++] = proposal.target;
    parent_afar_[proposal.target] = base + proposal.source;
  });
  remember_frontier();
  return static_cast<std::int64_t>(frontier_size_);
}

}  // namespace isobath
