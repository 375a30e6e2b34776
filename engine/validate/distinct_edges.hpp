// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"
#include "validate/exchange_limits.hpp"

namespace isobath {

/// Collective. Edges of the list that differ as unordered pairs, self-loops left out, counted from the list
/// alone: the construction check holds the arcs of the constructed graph against twice this number. A graph
/// and a look-up that share a mistake (an edge dropped by both) still differ from it.
///
/// The list is gone through several times; each time a part of the pairs, chosen by their hash, is brought
/// together, sorted and counted.
/// @param pairs_at_once  what a rank holds of them (16 bytes each, twice while sorting), about
/// @param limits  of messages, those of so many ranks where absent
std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world,
                                  std::int64_t pairs_at_once, std::optional<ExchangeLimits> limits = {});

/// The same with distinct_pairs_at_once() for the longest share of the list.
std::int64_t count_distinct_edges(const EdgeStream& edges, const Communicator& world);

/// As many as an eighth of the list of a rank where ranks are few, a 64th where they are 128 or more, and at
/// least 2^22. A pass costs reading the list, and little else: pairs are sent and sorted once. Beside what
/// sending takes among many ranks that is little; on few ranks it is not.
/// @param edges  in the list of a rank
std::int64_t distinct_pairs_at_once(std::int64_t edges, int ranks);

}  // namespace isobath
