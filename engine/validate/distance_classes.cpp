// SPDX-License-Identifier: Apache-2.0
#include "validate/distance_classes.hpp"

namespace isobath {

std::int64_t DistanceBatch::classify() {
  const std::size_t count = size;  // a byte that is written could be part of `size`, for the compiler
  std::uint32_t touching = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float u = to_u[i];
    const float v = to_v[i];
    const float by_u = u + weights[i];
    const float by_v = v + weights[i];
    const std::uint32_t u_in = u < 0 ? 0U : 1U;
    const std::uint32_t v_in = v < 0 ? 0U : 1U;
    const std::uint32_t is_of_v = (by_u == v ? std::uint32_t{edge_class::tree_edge_of_v} : 0U) & (0U - u_in);
    const std::uint32_t is_of_u = (by_v == u ? std::uint32_t{edge_class::tree_edge_of_u} : 0U) & (0U - v_in);
    const std::uint32_t too_far = (by_u < v ? std::uint32_t{edge_class::apart} : 0U) |
                                  (by_v < u ? std::uint32_t{edge_class::apart} : 0U);
    const std::uint32_t leads_out = (u_in ^ v_in) * edge_class::apart;
    const std::uint32_t is_loop = std::uint32_t{self_loops[i]} * edge_class::self_loop;
    classes[i] = static_cast<std::uint8_t>(is_of_u | is_of_v | too_far | leads_out | is_loop);
    touching += u_in | v_in;
  }
  return touching;
}

}  // namespace isobath
