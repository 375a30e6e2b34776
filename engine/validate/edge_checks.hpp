// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/vertex.hpp"

namespace isobath {

/// Edges that a thread takes at a time, where it shares them with the others of its rank.
inline constexpr std::int64_t edges_of_block = std::int64_t{1} << 16;

/// Nothing is indexed by a vertex of an edge before this. @throws EnvironmentError naming the first edge end
/// outside 0 .. num_vertices - 1
void expect_vertices_exist(std::span<const Edge> edges, std::int64_t num_vertices);

/// Weights are finite and not negative. @throws EnvironmentError naming the first edge with another one
void expect_weights(std::span<const Edge> edges, std::span<const float> weights);

}  // namespace isobath
