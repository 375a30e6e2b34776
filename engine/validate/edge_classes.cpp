// SPDX-License-Identifier: Apache-2.0
#include "validate/edge_classes.hpp"

#include <algorithm>

namespace isobath {

std::int64_t EdgeBatch::classify() {
  using level_code::level_mask;
  using level_code::next_level;
  using level_code::parent_mask;
  using Byte = std::uint8_t;
  const std::size_t count =
      size;  // a byte that is written could be part of `size`, for all the compiler knows
  std::uint32_t touching = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Byte level_u = code_u[i] & level_mask;
    const Byte level_v = code_v[i] & level_mask;
    const Byte nearer = std::min(level_u, level_v);
    const Byte farther = std::max(level_u, level_v);
    const Byte child_of_v = static_cast<Byte>(level_v + next_level + (low_v[i] & parent_mask));
    const Byte child_of_u = static_cast<Byte>(level_u + next_level + (low_u[i] & parent_mask));
    const Byte gap = static_cast<Byte>(farther - nearer);
    const Byte is_of_u = code_u[i] == child_of_v ? edge_class::tree_edge_of_u : 0;
    const Byte is_of_v = code_v[i] == child_of_u ? edge_class::tree_edge_of_v : 0;
    const Byte is_far = gap > next_level ? edge_class::apart : 0;
    const Byte is_deep = nearer == level_code::deep ? edge_class::apart : 0;  // one deep end alone is far
    const Byte same_low = low_u[i] == low_v[i] ? edge_class::self_loop : 0;
    const Byte same_code = code_u[i] == code_v[i] ? edge_class::self_loop : 0;
    classes[i] = static_cast<Byte>(is_of_u | is_of_v | is_far | is_deep | (same_low & same_code));
    touching += nearer < level_code::outside ? 1U : 0U;
  }
  return touching;
}

}  // namespace isobath
