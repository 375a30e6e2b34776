// SPDX-License-Identifier: Apache-2.0
#include "graph/vertex_count.hpp"

#include <algorithm>
#include <bit>

#include "base/threads.hpp"

namespace isobath {

std::int64_t count_vertices(const EdgeStream& list, const Communicator& world, PhaseObserver& observer) {
  observer.phase(Phase::count_vertices);
  std::int64_t largest = 0;
#pragma omp parallel reduction(max : largest)
  {
    const auto [begin, end] = static_share(list.size(), thread_id(), num_threads());
    for_each_batch(list, begin, end, [&](std::span<const Edge> batch) {
      for (const auto& [u, v] : batch) largest = std::max({largest, raw(u), raw(v)});
    });
  }
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(world.max(largest)) + 1));
}

}  // namespace isobath
