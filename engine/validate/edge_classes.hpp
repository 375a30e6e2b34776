// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
  void for_each_flagged(const Visit& visit) const;

 private:
  /// Bit i is set where edge first + i has a class.
  std::uint64_t flags(std::size_t first) const;
};

/// Byte by byte into bits, eight at a time.
inline std::uint64_t EdgeBatch::flags(std::size_t first) const {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t lowest_of_bytes = 0x0101010101010101;
  constexpr std::uint64_t gather_lowest = 0x0102040810204080;  // takes the lowest bit of byte i to bit 56 + i
  std::uint64_t flags = 0;
  for (std::size_t octet = 0; octet < 8; ++octet) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, classes.data() + first + 8 * octet, 8);
    bytes |= bytes >> 2;
    bytes |= bytes >> 1;
    flags |= (bytes & lowest_of_bytes) * gather_lowest >> 56 << (8 * octet);
  }
  return flags;
}

/// Edges with a class lie scattered: a branch on each edge would often be foretold wrongly, one on every 64
/// is not.
template <class Visit>
void EdgeBatch::for_each_flagged(const Visit& visit) const {
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t left = flags(first);
    if (size - first < 64) left &= (std::uint64_t{1} << (size - first)) - 1;
    for (; left != 0; left &= left - 1) visit(first + static_cast<std::size_t>(std::countr_zero(left)));
  }
}

}  // namespace isobath
