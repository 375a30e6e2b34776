// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/endpoints.hpp"

namespace isobath {

/// Degree classes by end points (duplicates counted). Class 0 are the heavy vertices, sorted by degree;
/// inside every other class the original order is kept, so that emitting parents streams through memory. See
/// docs/adr/0014.
inline constexpr std::array<std::uint32_t, 6> class_lower_bound = {1024, 256, 64, 16, 4, 0};
inline constexpr std::size_t num_classes = class_lower_bound.size();

/// What emit merges, one stream per class that keeps the original order, and one for the leaves.
inline constexpr std::size_t num_streams = num_classes;  // classes 1 .. 5, then leaves
inline constexpr std::size_t leaf_stream = num_streams - 1;

/// Original vertices per block of emit: its buffers stay in the first-level cache.
inline constexpr std::int64_t emit_block = 2048;
/// Original vertices per mask of a stream.
inline constexpr std::int64_t mask_vertices = 16;

/// The way from original order to working order and back, for the vertices of one owner.
struct Numbering {
  static constexpr std::uint32_t isolated = 0xFFFFFFFF;
  static constexpr std::uint32_t leaf = 0xFFFFFFFE;
  static constexpr std::uint32_t max_working = 0xFFFFFFF0;

  std::int64_t num_originals = 0;
  LargeArray<std::uint32_t> code;      // own original -> working number, or `isolated`, or `leaf`
  LargeArray<std::uint32_t> original;  // working number -> own original
  LargeArray<std::uint32_t>
      degree;  // working number -> end points, duplicates counted; zeros up to a whole piece
  std::array<std::uint32_t, num_classes + 1>
      class_start{};       // first working number of each class; end of the last
  bool by_family = false;  // number_families was here: masks and counts below hold for the leaves alone
  std::int64_t isolated_kept = 0;           // isolated vertices that have a working number
  LargeArray<std::uint32_t> leaf_original;  // leaf, in original order -> own original

  /// For each 16 originals and stream, which of them belong to it: mask[group * num_streams + stream].
  LargeArray<std::uint16_t> mask;
  /// Members of a stream before each emit block: first[block * num_streams + stream], counted inside the
  /// stream.
  LargeArray<std::uint32_t> first;

  std::uint32_t searched() const { return class_start[num_classes]; }
  /// Of searched vertices.
  std::span<const std::uint32_t> degrees() const { return degree.span().first(searched()); }
  /// Searched or not, has the own original `v` no neighbour other than itself?
  bool is_isolated(std::int64_t v) const {
    const std::uint32_t working = code[static_cast<std::size_t>(v)];
    return working == isolated || (working < leaf && degree[working] == 0);
  }
  std::uint32_t num_heavy() const { return class_start[1]; }  // vertices of class 0
  std::uint32_t leaves() const { return static_cast<std::uint32_t>(leaf_original.size()); }
  std::int64_t isolated_vertices() const { return num_originals - searched() - leaves() + isolated_kept; }
  std::int64_t num_emit_blocks() const { return (num_originals + emit_block - 1) / emit_block; }
  /// Position of own original `v`, a leaf, among the leaves.
  std::uint32_t leaf_index(std::int64_t v) const;
};

/// How the own vertices are numbered.
struct NumberingOptions {
  /// By degree class, isolated vertices without a number. Otherwise every vertex keeps its own number.
  bool relabel = true;
  bool leaves_out = true;  // leaves get no number
};

/// Numbers the own vertices. Where nothing is left out and nothing relabelled, working numbers are the
/// originals.
/// @throws RefusedError when an owner has more vertices than 32 bits can number
Numbering number_vertices(const Endpoints& endpoints, const NumberingOptions& options = {});

/// Which of the working numbers 0 .. degree.size() - 1 have so many end points at least, by falling degree;
/// in the order of numbers, which inside a class is the original one, where it is the same. Hub numbers of a
/// rank and the first working numbers are this order: ToldHubs and HubFollowers turn one into the other by
/// adding.
std::vector<std::uint32_t> by_falling_degree(std::span<const std::uint32_t> degree, std::int64_t least);

/// Gives the vertices that have these numbers the numbers 0, 1, ... in this order. Where they were not the
/// first already, the others are to be numbered anew.
void put_in_front(Numbering& numbering, std::span<const std::uint32_t> numbers);

}  // namespace isobath
