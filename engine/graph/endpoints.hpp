// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// What one vertex sees of the edge list, before duplicates are dropped.
struct Endpoint {
  std::uint64_t neighbour = 0;  // first neighbour seen plus one; the top bit says that there is another one
  std::uint32_t count = 0;      // end points, duplicates counted, self-loops not

  static constexpr std::uint64_t several = std::uint64_t{1} << 63;
  bool is_isolated() const { return neighbour == 0; }
  bool is_leaf() const { return neighbour != 0 && (neighbour & several) == 0; }
  std::int64_t only_neighbour() const { return static_cast<std::int64_t>(neighbour) - 1; }
  void meet(std::int64_t other) {
    const std::uint64_t mark = static_cast<std::uint64_t>(other) + 1;
    if (neighbour == 0) {
      neighbour = mark;
    } else if (neighbour != mark) {
      neighbour |= several;
    }
    ++count;
  }
};

/// End points of the own block, and its self-loops.
struct Endpoints {
  LargeArray<Endpoint> of;                    // per own vertex
  std::vector<std::uint32_t> self_loops_at;   // own vertex of each self-loop, sorted
};

/// Collective. First pass over the edges: counts the end points of every vertex at its owner, and notes whether all
/// its neighbours are the same vertex (a leaf). Memory beyond the result is bounded, whatever the number of edges.
Endpoints count_endpoints(const EdgeStream& edges, const BlockPartition& blocks, const Communicator& world);

}  // namespace isobath
