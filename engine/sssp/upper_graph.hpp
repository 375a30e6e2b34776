// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "partition/block_partition.hpp"
#include "sssp/kept_edges.hpp"
#include "sssp/peeling.hpp"
#include "sssp/weighted_rows.hpp"

namespace isobath {

/// The vertices that outlast the first round of peeling, and the arcs between them: what a search climbs
/// through, settles and descends. Few (a fifth of the vertices at scale 20), so every rank has them all, and
/// a search communicates nothing of them.
///
/// Upper numbers: the path core by distance from the landmark, then the rounds, last first; inside a round
/// first those with one arc. So every arc of a peeled vertex leads to a smaller number.
struct UpperGraph {
  struct Round {
    std::uint32_t first;      // upper numbers of the round: [first, end)
    std::uint32_t one_until;  // of these, [first, one_until) have one arc
    std::uint32_t end;
  };
  std::uint32_t core = 0;              // path core: [0, core)
  std::vector<Round> rounds;           // in the order of descent
  LargeArray<std::uint32_t> original;  // upper number -> original
  /// Of a vertex of the path core: to its neighbours there. Of a peeled one: to those that outlast it.
  /// Targets are upper numbers.
  WeightedRows rows;

  std::uint32_t size() const { return static_cast<std::uint32_t>(original.size()); }
};

/// Original number -> upper number, `not_upper` for all others. For construction.
struct UpperNumbers {
  static constexpr std::uint32_t not_upper = 0xFFFFFFFF;
  LargeArray<std::uint32_t> of;
};

/// Collective. @param numbers  filled in
UpperGraph gather_upper_graph(const KeptEdges& kept, const Peeling& peeling, const BlockPartition& blocks,
                              const Communicator& world, UpperNumbers& numbers);

}  // namespace isobath
