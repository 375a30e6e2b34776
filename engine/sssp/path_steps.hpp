// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

/// What the descent leaves for a vertex's children, or for itself: a distance, and the original number of a
/// parent. In one word so that one load fetches both.
struct PathEntry {
  float distance;
  std::uint32_t parent;  // no_parent where not reached
};
inline constexpr std::uint32_t no_parent = 0xFFFFFFFF;

/// Own vertices by original number: each takes entry[v]'s parent, and its distance plus weight[v].
struct EntryOf {
  const std::uint32_t* entry;
  const float* weight;
};

/// What relaxing arcs reads and writes, by upper number.
struct RelaxState {
  float* distance;
  std::uint32_t* parent;
  Word* changed;  // a bit for each vertex that came nearer
};

/// The steps that touch many vertices. All instruction sets give the same results.
struct PathSteps {
  /// Offers each target of arc[0 .. count) (distinct) the way over `vertex`, which is at `distance`. A target
  /// takes it only where it is nearer so: arcs of no weight make no circles of parents.
  void (*relax)(const WeightedArc* arc, std::size_t count, std::uint32_t vertex, float distance,
                const RelaxState& state);
  /// out[i] = distance[arc[i].to] + arc[i].weight for i < count.
  void (*add_over_arcs)(const WeightedArc* arc, std::size_t count, const float* distance, float* out);
  /// Parents and distances of own vertices [begin, end), every slot once; `begin` is a multiple of 16, both
  /// arrays begin on a cache line.
  void (*emit)(const PathEntry* entries, const EntryOf& of, std::size_t begin, std::size_t end,
               GlobalVertex* parents, float* distances);
};

extern const PathSteps path_steps_portable;
const PathSteps& path_steps_avx512();  // the portable ones where the processor family has none

const PathSteps& path_steps(InstructionSet set);
/// Those of this machine.
const PathSteps& path_steps();

}  // namespace isobath
