// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// Collective. Edges of the list that differ as unordered pairs, self-loops left out, counted from the list
/// alone: the construction check holds the arcs of the constructed graph against twice this number. A graph
/// and a look-up that share a mistake (an edge dropped by both) still differ from it.
///
/// The list is gone through several times; each time a part of the pairs, chosen by their hash, is brought
/// together, sorted and counted.
/// @param pairs_at_once  what a rank holds of them (16 bytes each, twice while sorting), about
std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world,
                                  std::int64_t pairs_at_once);

/// As many pairs at once as an eighth of the list of a rank, and at least 2^22.
std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world);

}  // namespace isobath
