// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// `a` where `condition` holds, else `b`: arithmetic instead of a branch that the processor would often
/// foretell wrongly.
constexpr LevelCode select(bool condition, LevelCode a, LevelCode b) {
  const auto mask = static_cast<LevelCode>(-static_cast<int>(condition));
  return static_cast<LevelCode>((a & mask) | (b & ~mask));
}

/// Codes of children, but for the low bits of the parent: one level lower, or what cannot be told from the
/// code.
inline constexpr std::array<LevelCode, 256> child_codes = [] {
  std::array<LevelCode, 256> codes{};
  for (int code = 0; code < 256; ++code) {
    const bool is_shallow_parent = code < max_shallow * next_level;
    const bool is_cut_off = code == outside || code == severed;
    codes[static_cast<std::size_t>(code)] = is_shallow_parent
                                                ? static_cast<LevelCode>((code & level_mask) + next_level)
                                            : is_cut_off ? severed
                                                         : unresolved;
  }
  return codes;
}();

/// Code of a vertex whose parent has `parent_code`; unresolved where that does not tell.
constexpr LevelCode of_child(LevelCode parent_code, GlobalVertex parent) {
  const bool is_shallow_parent = parent_code < max_shallow * next_level;
  return static_cast<LevelCode>(child_codes[parent_code] | select(is_shallow_parent, low_bits(parent), 0));
}

}  // namespace level_code
}  // namespace isobath
