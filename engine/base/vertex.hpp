// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath {

/// A vertex in original numbering, 0 .. 2^scale - 1. At least 48 bits are significant (specification,
/// "Generation").
enum class GlobalVertex : std::int64_t {};

/// A vertex in its owner's numbering; 32 bits are enough and are checked in construction.
enum class LocalVertex : std::uint32_t {};

/// A BFS distance from the root; the root is at level 0.
using Level = std::int32_t;

inline constexpr GlobalVertex no_vertex{-1};

constexpr std::int64_t raw(GlobalVertex v) { return static_cast<std::int64_t>(v); }
constexpr std::uint32_t raw(LocalVertex v) { return static_cast<std::uint32_t>(v); }

/// One undirected input pair, exactly as generated: duplicates and self-loops are edges too.
struct Edge {
  GlobalVertex u;
  GlobalVertex v;
  friend constexpr bool operator==(const Edge&, const Edge&) = default;
};

}  // namespace isobath
