// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "validate/edge_classes.hpp"
#include "validate/flagged.hpp"

namespace isobath {

/// What an edge must know of its ends, in one float32: the distance, or a value that says why there is none.
namespace end_distance {
inline constexpr float outside = -1;  // not in the tree
/// In the tree, but with a claim that is no distance: every comparison with it is false.
inline constexpr float unusable = std::numeric_limits<float>::quiet_NaN();

constexpr bool is_in_tree(float end) { return !(end < 0); }
/// Finite and not negative; false for what is no number.
constexpr bool is_distance(float claimed) {
  return claimed >= 0 && claimed <= std::numeric_limits<float>::max();
}
}  // namespace end_distance

/// Up to 1024 edges with weights, field by field, so that the compiler handles several at a time. Classes are
/// those of edge_class: an edge is the tree edge of an end, perhaps, where that end's distance is exactly the
/// other's plus the weight in float32; apart, where that sum is less than the end's distance, or where just
/// one end is in the tree.
struct DistanceBatch {
  static constexpr std::size_t capacity = EdgeBatch::capacity;
  std::array<float, capacity> to_u;  // end distances
  std::array<float, capacity> to_v;
  std::array<float, capacity> weights;
  std::array<std::uint8_t, capacity> self_loops;  // 1 where u is v
  std::array<std::uint8_t, capacity> classes;     // filled by classify()
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
