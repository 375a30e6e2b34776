// SPDX-License-Identifier: Apache-2.0
#include "sssp/path_steps.hpp"

namespace isobath {
namespace {

void relax(const WeightedArc* arc, std::size_t count, std::uint32_t vertex, float distance,
           const RelaxState& state) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto [to, weight] = arc[i];
    const float offered = distance + weight;
    if (offered >= state.distance[to]) continue;
    state.distance[to] = offered;
    state.parent[to] = vertex;
    state.changed[to / word_bits] |= Word{1} << (to % word_bits);
  }
}

void add_over_arcs(const WeightedArc* arc, std::size_t count, const float* distance, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = distance[arc[i].to] + arc[i].weight;
}

void emit(const PathEntry* entries, const EntryOf& of, std::size_t begin, std::size_t end,
          GlobalVertex* parents, float* distances) {
  for (std::size_t v = begin; v < end; ++v) {
    const PathEntry& entry = entries[of.entry[v]];
    parents[v] = entry.parent == no_parent ? no_vertex : GlobalVertex{entry.parent};
    distances[v] = entry.distance + of.weight[v];
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
