// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/vertex.hpp"

namespace isobath {

/// What an edge must know of its ends, in one byte: the level in the upper five bits, the three lowest bits
/// of the parent below. An edge whose ends are one level apart can be the deeper end's tree edge only if
/// these bits match, which spares seven of eight looks at the parents (8 bytes each, far from the processor).
/// The byte array of 2^20 vertices fits the second cache level.
///
///   levels 0 .. 28    level * 8 + low bits of the parent
///   deeper            deep; the level stands elsewhere (TreeLevels::level_of)
///   not in the tree   outside and the three values above it
using LevelCode = std::uint8_t;

namespace level_code {

inline constexpr int max_shallow = 28;  // 29 stays free: deep is no neighbour of any shallow level
inline constexpr LevelCode level_mask = 0xF8;
inline constexpr LevelCode parent_mask = 0x07;
inline constexpr LevelCode next_level = 8;

inline constexpr LevelCode deep = 30 * next_level;
inline constexpr LevelCode outside = 31 * next_level;  // has no parent, or one that is no vertex
inline constexpr LevelCode severed = outside + 1;      // its parents lead to a vertex outside
inline constexpr LevelCode circular = outside + 2;     // its parents lead into a cycle
inline constexpr LevelCode unresolved = outside + 3;   // while levels are being counted

constexpr LevelCode low_bits(GlobalVertex v) { return static_cast<LevelCode>(raw(v)) & parent_mask; }

constexpr LevelCode of(std::int64_t level, GlobalVertex parent) {
  if (level > max_shallow) return deep;
  return static_cast<LevelCode>(static_cast<LevelCode>(level) * next_level + low_bits(parent));
}

constexpr bool is_shallow(LevelCode code) { return code < deep; }
constexpr bool is_in_tree(LevelCode code) { return code < outside; }

/// Level of a shallow code, -1 for all others.
constexpr std::int64_t level_of(LevelCode code) { return is_shallow(code) ? code / next_level : -1; }

/// Code of a vertex whose parent has `parent_code`; unresolved where that does not tell.
constexpr LevelCode of_child(LevelCode parent_code, GlobalVertex parent) {
  if (is_shallow(parent_code) && level_of(parent_code) < max_shallow)
    return of(level_of(parent_code) + 1, parent);
  if (parent_code == outside || parent_code == severed) return severed;
  return unresolved;
}

}  // namespace level_code
}  // namespace isobath
