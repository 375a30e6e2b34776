// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "comm/communicator.hpp"
#include "graph/original_arcs.hpp"
#include "graph/positions.hpp"
#include "graph/target_ranges.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

/// Collective. The arcs that belong to this rank of the grid, and its own self-loops, in original numbering.
/// @param form        of positions, on this grid
/// @param most_lines  see ArrivingArcs
OriginalArcs deliver_arcs(const EdgeStream& edges, const Communicator& world, GridShape shape,
                          const BlockPartition& blocks, PositionForm form,
                          std::size_t most_lines = TargetRanges::in_second_cache);

}  // namespace isobath
