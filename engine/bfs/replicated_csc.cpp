// SPDX-License-Identifier: Apache-2.0
#include "bfs/replicated.hpp"

namespace isobath {

ReplicatedCsc::ReplicatedCsc(const EdgeStream& edges, const Communicator& world, const PlanOptions& options,
                             PhaseObserver& observer)
    : Replicated(edges, world, options, observer) {
  label(observer);
}

/// From the summary to the words that have any of the frontier, to its columns, to their targets. Threads
/// share the summary by words, and claim targets.
std::int64_t ReplicatedCsc::scan() {
  const Rows& columns = graph_.by_source();
  std::int64_t arcs = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_) reduction(+ : arcs)
  for (std::size_t s = 0; s < summary_.size(); ++s) {
    for_each_bit(summary_.span().subspan(s, 1), [&](std::size_t word) {
      const std::size_t w = s * word_bits + word;
      for_each_bit(frontier_.span().subspan(w, 1), [&](std::size_t bit) {
        const auto col = static_cast<std::uint32_t>(w * word_bits + bit);
        const GlobalVertex parent = original_of(col);
        const std::span<const std::uint32_t> targets = columns.of(col);
        arcs += std::ssize(targets);
        for (const std::uint32_t target : targets) adopt(target, parent);
      });
    });
  }
  return arcs;
}

}  // namespace isobath
