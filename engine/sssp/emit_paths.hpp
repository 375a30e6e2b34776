// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// What a search leaves, and where it goes.
struct PathsToEmit {
  const Graph& graph;
  const float* distance;        // by working number, infinity where not reached
  const float* of_column;       // by column, the missing one too: what leaves ask on one grid column
  const std::uint32_t* parent;  // by working number: place of the column, where reached
  GlobalVertex* parents;        // by original
  float* distances;             // by original
  /// On several grid columns, by working number: the parent where `parent` is no column here.
  std::span<const std::int64_t> original_parent = {};
  std::span<const float> leaf_distance = {};  // likewise: of the own leaves
  /// Originals of columns, where positions are narrow: what vector kernels gather. A pointer, since no inline
  /// function of a class may be compiled with their instructions: the linker might take it for all.
  const std::uint32_t* original_of_col = nullptr;
};

/// Writes parents and distances of the vertices of emit blocks [first_block, end_block) in original order,
/// each slot once; leaves get theirs from their neighbour. Heavy vertices are left to emit_heavy_paths. One
/// thread; see docs/adr/0014.
using EmitPaths = void (*)(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block);
void emit_paths_portable(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block);
/// On one grid column, of narrow positions.
void emit_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block);
/// On several, of narrow positions.
void emit_told_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block);
EmitPaths emit_paths_for(InstructionSet set, const Graph& graph);

/// Heavy vertices [first, end) by working number: a scatter, after the blocks.
void emit_heavy_paths(const PathsToEmit& found, std::uint32_t first, std::uint32_t end);

}  // namespace isobath
