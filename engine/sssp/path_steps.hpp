// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "sssp/distance.hpp"
#include "sssp/own_vertices.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

/// What a search leaves for emit: distance and parent (an original number) of every vertex that own ones may
/// hang from, as OwnVertices::from numbers them.
struct FoundPaths {
  const OwnVertices& own;
  const float* distance;
  const std::uint32_t* parent;
};

/// What relaxing arcs reads and writes, by upper number.
struct RelaxState {
  float* distance;
  std::uint32_t* parent;  // original numbers
  Word* changed;          // a bit for each vertex that came nearer
};

/// The steps that touch many vertices. All instruction sets give the same results.
struct PathSteps {
  /// Offers each target of arc[0 .. count) (distinct) the way over a vertex at `distance`, whose original
  /// number is `parent`. A target takes it only where it is nearer so: arcs of no weight make no circles of
  /// parents.
  void (*relax)(const WeightedArc* arc, std::size_t count, float distance, std::uint32_t parent,
                const RelaxState& state);
  /// out[i] = distance[arc[i].to] + arc[i].weight for i < count.
  void (*add_over_arcs)(const WeightedArc* arc, std::size_t count, const float* distance, float* out);
  /// Parents and distances of the own vertices of blocks [first_block, end_block), every slot once, -1 and
  /// infinity where not reached. Both arrays begin on a cache line and have room for whole groups.
  void (*emit)(const FoundPaths& found, std::size_t first_block, std::size_t end_block, GlobalVertex* parents,
               float* distances);
};

extern const PathSteps path_steps_portable;
const PathSteps& path_steps_avx512();  // the portable ones where the processor family has none

const PathSteps& path_steps(InstructionSet set);
/// Those of this machine.
const PathSteps& path_steps();

}  // namespace isobath
