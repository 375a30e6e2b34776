// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.hpp"
#include "base/vertex.hpp"
#include "generator/compact_edge.hpp"

namespace isobath {

/// Edges of a graph of at most 2^28 vertices in 7 bytes each: 56 bits, u below v, the lowest 32, the next 16
/// and the highest 8 in an array of their own each, so that any run of edges is read and written by vectors.
class NarrowEdges {
 public:
  static constexpr int vertex_bits = 28;
  static constexpr int bytes_per_edge = 7;

  explicit NarrowEdges(std::size_t size) : low_(size), middle_(size), high_(size) {}

  std::size_t size() const { return low_.size(); }

  /// Puts `edges` at positions first, first + 1, ...; their vertices are below 2^28.
  void write(std::size_t first, std::span<const CompactEdge> edges) {
    std::uint32_t* const low = low_.data() + first;
    std::uint16_t* const middle = middle_.data() + first;
    std::uint8_t* const high = high_.data() + first;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto [u, v] = edges[i];
      low[i] = u | v << vertex_bits;
      middle[i] = static_cast<std::uint16_t>(v >> (32 - vertex_bits));
      high[i] = static_cast<std::uint8_t>(v >> (48 - vertex_bits));
    }
  }

  /// Fills `edges` with those at positions first, first + 1, ...
  void read(std::size_t first, std::span<Edge> edges) const {
    const std::uint32_t* const low = low_.data() + first;
    const std::uint16_t* const middle = middle_.data() + first;
    const std::uint8_t* const high = high_.data() + first;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::uint32_t u = low[i] & ((std::uint32_t{1} << vertex_bits) - 1);
      const std::uint32_t v = low[i] >> vertex_bits | std::uint32_t{middle[i]} << (32 - vertex_bits) |
                              std::uint32_t{high[i]} << (48 - vertex_bits);
      edges[i] = {GlobalVertex{u}, GlobalVertex{v}};
    }
  }

 private:
  LargeArray<std::uint32_t> low_;
  LargeArray<std::uint16_t> middle_;
  LargeArray<std::uint8_t> high_;
};

}  // namespace isobath
