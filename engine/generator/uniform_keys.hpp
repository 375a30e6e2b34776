// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "generator/search_keys.hpp"

namespace isobath {

/// Search keys of any graph: up to `wanted` different vertices with a neighbour, drawn uniformly by `seed`.
/// Graphs of at most 2^16 vertices give all that there are; of larger ones drawing ends where 64 times
/// `wanted` and 2^20 different vertices had too few with a neighbour among them.
///
/// `has_neighbour` is asked as sample_search_keys() asks it.
std::vector<GlobalVertex> sample_uniform_keys(std::int64_t num_vertices, std::uint64_t seed, int wanted,
                                              const HasNeighbour& has_neighbour);

}  // namespace isobath
