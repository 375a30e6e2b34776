// SPDX-License-Identifier: Apache-2.0
#include "sssp/sweep.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace isobath {
namespace {

/// @tparam light  arcs of a row in streams
template <std::size_t light, class AnyRows>
PullStreams pull_streams_of(const AnyRows& rows, std::size_t padded) {
  PullStreams streams{.has_light = light > 0, .weight = {}, .source = {}, .next_weight = {}};
  for (std::size_t k = 0; k < light; ++k) {
    streams.weight[k] = LargeArray<float>(padded);
    streams.source[k] = LargeArray<std::uint32_t>(padded);
  }
  streams.next_weight = LargeArray<float>(padded);
  constexpr float none = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < padded; ++row) {
    const auto neighbours =
        row < rows.num_rows() ? rows.of(static_cast<std::uint32_t>(row)) : std::span<const WeightedArc>();
    for (std::size_t k = 0; k < light; ++k) {
      streams.weight[k][row] = k < neighbours.size() ? neighbours[k].weight : none;
      streams.source[k][row] = k < neighbours.size() ? neighbours[k].to : 0;
    }
    streams.next_weight[row] = light < neighbours.size() ? neighbours[light].weight : none;
  }
  return streams;
}

/// @tparam light  arcs of a row in streams
template <std::size_t light>
SweepCounts sweep_rows(const SweepTask& task, std::size_t first, std::size_t end) {
  SweepCounts counts;
  const PullStreams& streams = task.streams;
  const float* const lightest = (light > 0 ? streams.weight[0] : streams.next_weight).data();
  for (std::size_t row = first; row < end; ++row) {
    const float before = task.distance[row];
    if (before <= task.settled || !(task.least_source + lightest[row] < before)) continue;
    float best = before;
    std::uint32_t parent = 0;
    std::size_t k = 0;
    for (; k < light && task.least_source + streams.weight[k][row] < best; ++k) {
      const float offer = load_distance(task.source, streams.source[k][row]) + streams.weight[k][row];
      if (!(offer < best)) continue;
      best = offer;
      parent = streams.source[k][row];
    }
    counts.arcs_relaxed += static_cast<std::int64_t>(k);
    if (k == light && task.least_source + streams.next_weight[row] < best) {
      counts.arcs_relaxed += relax_rest<light>(task, row, best, parent);
    }
    if (!(best < before)) continue;
    std::atomic_ref(task.distance[row]).store(best, std::memory_order_relaxed);
    task.parent[row] = parent;
    std::uint16_t& lowered = task.lowered[row / rows_of_entry];
    lowered = static_cast<std::uint16_t>(lowered | 1U << row % rows_of_entry);
    ++counts.changed;
    counts.least_changed = best < counts.least_changed ? best : counts.least_changed;
  }
  return counts;
}

}  // namespace

PullStreams make_pull_streams(const WeightSortedRows& rows, std::size_t padded) {
  return pull_streams_of<num_light>(rows, padded);
}

PullStreams make_pull_streams(const CompactWeightedRows& rows, std::size_t padded) {
  return pull_streams_of<0>(rows, padded);
}

SweepCounts sweep_portable(const SweepTask& task, std::size_t first, std::size_t end) {
  return task.streams.has_light ? sweep_rows<num_light>(task, first, end) : sweep_rows<0>(task, first, end);
}

SweepCounts sweep_all(Sweep sweep, const SweepTask& task, std::size_t rows) {
  constexpr std::size_t part = 4096;  // at a time by one thread
  SweepCounts sum;
#pragma omp parallel
  {
    SweepCounts mine;
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t first = 0; first < rows; first += part) {
      mine.add(sweep(task, first, std::min(first + part, rows)));
    }
#pragma omp critical
    sum.add(mine);
  }
  return sum;
}

Sweep sweep_for(InstructionSet set) { return set == InstructionSet::avx512 ? sweep_avx512 : sweep_portable; }

}  // namespace isobath
