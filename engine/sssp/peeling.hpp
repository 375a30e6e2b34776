// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "sssp/kept_edges.hpp"

namespace isobath {

/// In which round each vertex of the graph was peeled: 1, 2, ...; 0 for those that stay, the path core. A
/// peeled vertex lies inside no shortest path between two vertices that outlast it, so a shortest path climbs
/// from its root to the path core and descends from it. Proof: docs/explanation/sssp.md.
struct Peeling {
  LargeArray<std::uint8_t> round;  // of every vertex of the graph
  int rounds = 0;

  bool outlasts(std::size_t v, std::size_t other) const {
    return round[v] == 0 || (round[other] != 0 && round[v] > round[other]);
  }
};

/// Collective. Peels the kept edges in rounds; no two vertices of one round are neighbours. Ends when a round
/// would hardly take any.
Peeling peel(const KeptEdges& kept, const BlockPartition& blocks, const Communicator& world);

}  // namespace isobath
