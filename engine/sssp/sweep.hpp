// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/arena.hpp"
#include "base/instruction_set.hpp"
#include "graph/rows.hpp"
#include "sssp/distance.hpp"

namespace isobath {

/// Arcs of every row that stand in streams of their own.
inline constexpr std::size_t num_light = 4;

/// The lightest arcs of every row, transposed, so that a sweep asks 16 rows at a time without touching the
/// rows themselves. Where a row has fewer arcs, the weight is infinite. Or none of them, so that all arcs are
/// read from the rows, where memory counts more: with num_light arcs a row takes 36 bytes, with none 4.
struct PullStreams {
  bool has_light = true;
  std::array<LargeArray<float>, num_light> weight;
  std::array<LargeArray<std::uint32_t>, num_light> source;
  LargeArray<float> next_weight;  // of the first arc that is in no stream
};

/// @param padded  entries of every stream: the rows, and room for whole vectors
PullStreams make_pull_streams(const WeightSortedRows& rows, std::size_t padded);
/// Without light arcs.
PullStreams make_pull_streams(const CompactWeightedRows& rows, std::size_t padded);

/// What a sweep reads and writes. Where all arcs of a row are here, the row's own distance is also among
/// those of the columns, and a sweep reads what it wrote before; else they stand apart.
struct SweepTask {
  const WeightSortedRows* rows = nullptr;             // with streams of light arcs
  const CompactWeightedRows* compact_rows = nullptr;  // without
  const PullStreams& streams;
  const float* source;     // tentative distances by column, infinity where not reached
  float* distance;         // by row: tentative, or a bound from above
  std::uint32_t* parent;   // by row: a column; written where the distance is
  std::uint16_t* lowered;  // a bit for each row, 16 to an entry: set where the distance is written
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

/// A sweep over rows [0, rows), whole pieces, by all threads; in order, so that heavy ones come first.
SweepCounts sweep_all(Sweep sweep, const SweepTask& task, std::size_t rows);

/// Another thread may be lowering it.
inline float load_distance(const float* distance, std::size_t at) {
  return std::atomic_ref(const_cast<float&>(distance[at])).load(std::memory_order_relaxed);
}

/// Rows to an entry of SweepTask::lowered.
inline constexpr std::size_t rows_of_entry = 16;

template <std::size_t light>
const auto& rows_of(const SweepTask& task) {
  if constexpr (light > 0) {
    return *task.rows;
  } else {
    return *task.compact_rows;
  }
}

/// Goes on with the arcs of one row that are in no stream, which are those behind the first `light`.
/// Static, so that files of other instruction sets have one of their own.
/// @returns the number of arcs relaxed
template <std::size_t light>
static std::int64_t relax_rest(const SweepTask& task, std::size_t row, float& best, std::uint32_t& parent) {
  const auto& rows = rows_of<light>(task);
  const WeightedArc* arc = rows.neighbour.data() + rows.start[row] + light;
  const WeightedArc* const end = rows.neighbour.data() + rows.start[row + 1];
  const WeightedArc* const first = arc;
  for (; arc < end && task.least_source + arc->weight < best; ++arc) {
    const float offer = load_distance(task.source, arc->to) + arc->weight;
    if (offer < best) {
      best = offer;
      parent = arc->to;
    }
  }
  return arc - first;
}

}  // namespace isobath
