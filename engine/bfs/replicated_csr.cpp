// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "bfs/replicated.hpp"

namespace isobath {

ReplicatedCsr::ReplicatedCsr(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                             PhaseObserver& observer)
    : Replicated(edges, world, options, observer) {
  label(observer);
}

/// Every own vertex that is not visited yet goes through its row, and stops at the first neighbour in the
/// frontier. A word of vertices belongs to one thread.
std::int64_t ReplicatedCsr::scan() {
  const Rows& rows = graph_.by_target;
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads_) reduction(+ : arcs)
  for (std::size_t w = 0; w < found_.size(); ++w) {
    Word found = 0;
    for (Word rest = graph_.has_arc[w] & ~visited_[w]; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const auto row = static_cast<std::uint32_t>(w * word_bits) + static_cast<std::uint32_t>(bit);
      for (const std::uint32_t col : rows.of(row)) {
        ++arcs;
        if (!is_in_frontier(col)) continue;
        parents_[row] = original_of(col);
        found |= Word{1} << bit;
        break;
      }
    }
    visited_[w] |= found;
    found_[w] = found;
  }
  return arcs;
}

}  // namespace isobath
