// SPDX-License-Identifier: Apache-2.0
#include "sssp/sweep.hpp"

namespace isobath {
namespace {

float load(const float* distance, std::uint32_t at) {
  return std::atomic_ref(const_cast<float&>(distance[at])).load(std::memory_order_relaxed);
}

}  // namespace

SweepCounts sweep_portable(const SweepTask& task, std::size_t first, std::size_t end) {
  SweepCounts counts;
  const PullStreams& streams = task.streams;
  for (std::size_t row = first; row < end; ++row) {
    const float before = task.distance[row];
    if (before <= task.settled || !(task.least_source + streams.weight[0][row] < before)) continue;
    float best = before;
    std::uint32_t parent = 0;
    std::size_t k = 0;
    for (; k < num_light && task.least_source + streams.weight[k][row] < best; ++k) {
      const float offer = load(task.distance, streams.source[k][row]) + streams.weight[k][row];
      if (!(offer < best)) continue;
      best = offer;
      parent = streams.source[k][row];
    }
    counts.arcs_relaxed += static_cast<std::int64_t>(k);
    if (k == num_light && task.least_source + streams.next_weight[row] < best) {
      counts.arcs_relaxed += relax_rest(task, row, best, parent);
    }
    if (!(best < before)) continue;
    std::atomic_ref(task.distance[row]).store(best, std::memory_order_relaxed);
    task.parent[row] = parent;
    ++counts.changed;
    counts.least_changed = best < counts.least_changed ? best : counts.least_changed;
  }
  return counts;
}

Sweep sweep_for(InstructionSet set) { return set == InstructionSet::avx512 ? sweep_avx512 : sweep_portable; }

}  // namespace isobath
