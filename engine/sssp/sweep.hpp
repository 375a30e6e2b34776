// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/instruction_set.hpp"
#include "graph/rows.hpp"
#include "sssp/distance.hpp"
#include "sssp/pull_streams.hpp"

namespace isobath {

/// What a sweep reads and writes: tentative distances and parents by row, on a graph whose columns are its
/// rows.
struct SweepTask {
  const WeightSortedRows& rows;
  const PullStreams& streams;
  float* distance;        // infinity where not reached
  std::uint32_t* parent;  // a column; written where the distance is
  /// No arc out of a vertex whose distance is smaller can lower anything any more.
  float least_source;
  /// Distances up to here are final.
  float settled;
};

struct SweepCounts {
  std::int64_t changed = 0;
  std::int64_t arcs_relaxed = 0;
  float least_changed = unreached;  // of the new distances
  void add(const SweepCounts& other) {
    changed += other.changed;
    arcs_relaxed += other.arcs_relaxed;
    least_changed = other.least_changed < least_changed ? other.least_changed : least_changed;
  }
};

/// One pull over rows [first, end), multiples of 16, no MPI, one thread: every row takes the best that its
/// neighbours offer, lightest arc first, and stops where least_source + weight is not below its distance.
/// Float32 addition does not fall when a term grows, so no later arc could be better. Other threads may lower
/// distances meanwhile: a sweep sees the old value or the new one, and whoever lowers one counts it.
using Sweep = SweepCounts (*)(const SweepTask& task, std::size_t first, std::size_t end);

SweepCounts sweep_portable(const SweepTask& task, std::size_t first, std::size_t end);
SweepCounts sweep_avx512(const SweepTask& task, std::size_t first, std::size_t end);
Sweep sweep_for(InstructionSet set);

/// Goes on with the arcs of one row that are in no stream. @returns the number of arcs relaxed
inline std::int64_t relax_rest(const SweepTask& task, std::size_t row, float& best, std::uint32_t& parent) {
  const WeightedNeighbour* arc = task.rows.neighbour.data() + task.rows.start[row] + num_light;
  const WeightedNeighbour* const end = task.rows.neighbour.data() + task.rows.start[row + 1];
  const WeightedNeighbour* const first = arc;
  for (; arc < end && task.least_source + arc->weight < best; ++arc) {
    const float offer =
        std::atomic_ref(task.distance[arc->index]).load(std::memory_order_relaxed) + arc->weight;
    if (offer < best) {
      best = offer;
      parent = arc->index;
    }
  }
  return arc - first;
}

}  // namespace isobath
