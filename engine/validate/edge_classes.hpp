// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "validate/flagged.hpp"
#include "validate/level_code.hpp"

namespace isobath {

/// What the codes of its ends say of an edge. No flag: both ends on one level, or one level apart without
/// being a tree edge, or both outside. Most edges.
namespace edge_class {
inline constexpr std::uint8_t tree_edge_of_u = 1;  // v may be the parent of u
inline constexpr std::uint8_t tree_edge_of_v = 2;  // u may be the parent of v
inline constexpr std::uint8_t apart = 4;           // codes do not allow it, or are too deep to tell
inline constexpr std::uint8_t self_loop = 8;       // perhaps: lowest bytes and codes are equal
}  // namespace edge_class

/// Up to 1024 edges, field by field, so that the compiler handles 16 or more at a time. 5 KB: fits the first
/// cache level beside the edges.
struct EdgeBatch {
  static constexpr std::size_t capacity = 1024;
  std::array<LevelCode, capacity> code_u;
  std::array<LevelCode, capacity> code_v;
  std::array<std::uint8_t, capacity> low_u;  // lowest byte of the vertex
  std::array<std::uint8_t, capacity> low_v;
  std::array<std::uint8_t, capacity> classes;  // filled by classify()
  std::size_t size = 0;

  /// Fills `classes`. Returns the edges, self-loops included, with at least one end in the tree.
  std::int64_t classify();
  /// Calls visit(i) for each edge that has a class, in order.
  template <class Visit>
  void for_each_flagged(const Visit& visit) const {
    isobath::for_each_flagged(classes.data(), size, visit);
  }
};

}  // namespace isobath
