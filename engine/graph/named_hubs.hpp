// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/hubs.hpp"
#include "graph/numbering.hpp"
#include "partition/block_partition.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

class Communicator;

/// Who the hubs are, as all ranks know it before vertices have their last numbers.
struct NamedHubs {
  Hubs hubs;  // who they are: what stands above `own_words` there; the rest is not known yet
  /// Hub numbers by falling degree, ascending originals where it is the same. Where a hub stands here is its
  /// *place*, and of the hubs among its neighbours a vertex keeps those of the least places.
  std::vector<std::uint32_t> by_degree;
  std::int64_t least_endpoints = 0;  // of a hub

  bool empty() const { return hubs.empty(); }
};

/// Collective. The hubs: all searched vertices of at least so many end points that no more than most_hubs()
/// have them; no rank has any where there are none.
/// @param numbering  by degree class, or by original number
/// @param in_front   the own hubs are to be numbered anew, before all others: by falling degree, ascending
///                   originals where it is the same. Otherwise they keep their numbers
NamedHubs name_hubs(const Numbering& numbering, const BlockPartition& blocks, const Communicator& world,
                    GridShape shape, bool few, bool in_front);

}  // namespace isobath
