// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/vertex.hpp"

namespace isobath {

/// An edge of a graph of at most 2^32 vertices, in 8 bytes.
struct CompactEdge {
  std::uint32_t u;
  std::uint32_t v;
  friend constexpr bool operator==(const CompactEdge&, const CompactEdge&) = default;
};

/// An edge of any graph up to 2^48 vertices, in 12 bytes, laid out as the reference program's packed edge.
struct PackedEdge {
  std::uint32_t u_low;
  std::uint32_t v_low;
  std::uint32_t high;  // bits 32 .. 47 of u in the low half, of v in the high half
  friend constexpr bool operator==(const PackedEdge&, const PackedEdge&) = default;
};
static_assert(sizeof(CompactEdge) == 8 && sizeof(PackedEdge) == 12);

constexpr Edge unpacked(CompactEdge edge) { return {GlobalVertex{edge.u}, GlobalVertex{edge.v}}; }

constexpr Edge unpacked(PackedEdge edge) {
  constexpr std::uint64_t low16 = 0xFFFF;
  return {GlobalVertex{static_cast<std::int64_t>((edge.high & low16) << 32 | edge.u_low)},
          GlobalVertex{static_cast<std::int64_t>((std::uint64_t{edge.high} >> 16) << 32 | edge.v_low)}};
}

constexpr PackedEdge packed(Edge edge) {
  const auto u = static_cast<std::uint64_t>(raw(edge.u));
  const auto v = static_cast<std::uint64_t>(raw(edge.v));
  return {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v),
          static_cast<std::uint32_t>(u >> 32 | v >> 32 << 16)};
}

}  // namespace isobath
