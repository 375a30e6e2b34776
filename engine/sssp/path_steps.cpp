// SPDX-License-Identifier: Apache-2.0
#include "sssp/path_steps.hpp"

#include <algorithm>

namespace isobath {
namespace {

void relax(const WeightedArc* arc, std::size_t count, float distance, std::uint32_t parent,
           const RelaxState& state) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto [to, weight] = arc[i];
    const float offered = distance + weight;
    if (offered >= state.distance[to]) continue;
    state.distance[to] = offered;
    state.parent[to] = parent;
    state.changed[to / word_bits] |= Word{1} << (to % word_bits);
  }
}

void add_over_arcs(const WeightedArc* arc, std::size_t count, const float* distance, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = distance[arc[i].to] + arc[i].weight;
}

void emit(const FoundPaths& found, std::size_t first_block, std::size_t end_block, GlobalVertex* parents,
          float* distances) {
  const OwnVertices& own = found.own;
  std::size_t at = own.before[first_block];
  const std::size_t end = std::min(own.size(), end_block * OwnVertices::block);
  for (std::size_t v = first_block * OwnVertices::block; v < end; ++v) {
    parents[v] = no_vertex;
    distances[v] = unreached;
    if (own.is_isolated(v)) continue;
    const bool computed = (own.computed[v / OwnVertices::group] >> (v % OwnVertices::group) & 1) != 0;
    const float distance = found.distance[own.from[at]] + own.by[at];
    if (distance != unreached) {
      parents[v] = GlobalVertex{computed ? found.parent[own.from[at]] : own.from_parent[at]};
      distances[v] = distance;
    }
    ++at;
  }
}

}  // namespace

const PathSteps path_steps_portable{relax, add_over_arcs, emit};

const PathSteps& path_steps(InstructionSet set) {
  return set == InstructionSet::avx512 ? path_steps_avx512() : path_steps_portable;
}

const PathSteps& path_steps() {
  static const PathSteps& best = path_steps(best_instruction_set());
  return best;
}

}  // namespace isobath
