// SPDX-License-Identifier: Apache-2.0
#include "sssp/emit_paths.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "sssp/sweep.hpp"
#include "sssp/tentative_paths.hpp"

namespace isobath {
namespace {

std::int64_t parent_of(const PathsToEmit& found, std::size_t working) {
  const std::uint32_t col = found.parent[working];
  if (found.original_parent.empty()) return found.graph.column_original[col];
  if (col == TentativePaths::not_a_column) return found.original_parent[working];
  return found.graph.layout.first_col_original() + found.graph.column_original[col];
}

void emit_searched(const PathsToEmit& found, std::size_t working, std::size_t original) {
  const float distance = found.distance[working];
  found.distances[original] = distance;
  if (distance < unreached) {
    found.parents[original] = GlobalVertex{parent_of(found, working)};
  }
}

void emit_leaf(const PathsToEmit& found, std::size_t leaf, std::size_t original) {
  const Leaves& leaves = found.graph.leaves;
  const bool is_told = !found.graph.layout.rows_are_complete();
  const float distance =
      is_told ? found.leaf_distance[leaf] : found.of_column[leaves.neighbour_col[leaf]] + leaves.weight[leaf];
  found.distances[original] = distance;
  if (distance < unreached) found.parents[original] = GlobalVertex{leaves.neighbour[leaf]};
}

}  // namespace

void emit_paths_portable(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block) {
  const Numbering& numbering = found.graph.numbering;
  for (std::int64_t block = first_block; block < end_block; ++block) {
    std::array<std::size_t, num_streams> next;
    for (std::size_t s = 0; s < num_streams; ++s) {
      next[s] = numbering.first[static_cast<std::size_t>(block) * num_streams + s];
      if (s != leaf_stream) next[s] += numbering.class_start[s + 1];
    }
    const std::int64_t end = std::min((block + 1) * emit_block, numbering.num_originals);
    for (std::int64_t v = block * emit_block; v < end; v += mask_vertices) {
      const std::int64_t group_end = std::min(v + mask_vertices, end);
      std::fill(found.parents + v, found.parents + group_end, no_vertex);
      std::fill(found.distances + v, found.distances + group_end, unreached);
      const std::uint16_t* const masks =
          numbering.mask.data() + v / mask_vertices * static_cast<std::int64_t>(num_streams);
      for (std::size_t s = 0; s < num_streams; ++s) {
        for (unsigned members = masks[s]; members != 0; members &= members - 1) {
          const auto original = static_cast<std::size_t>(v + std::countr_zero(members));
          const std::size_t member = next[s]++;
          if (s == leaf_stream) {
            emit_leaf(found, member, original);
          } else {
            emit_searched(found, member, original);
          }
        }
      }
    }
  }
}

EmitPaths emit_paths_for(InstructionSet set, const Graph& graph) {
  if (set != InstructionSet::avx512 || graph.column_original.are_wide()) return emit_paths_portable;
  return graph.layout.rows_are_complete() ? emit_paths_avx512 : emit_told_paths_avx512;
}

void emit_heavy_paths(const PathsToEmit& found, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t heavy = first; heavy < end; ++heavy) {
    emit_searched(found, heavy, found.graph.numbering.original[heavy]);
  }
}

}  // namespace isobath
