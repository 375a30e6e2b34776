// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/grid.hpp"
#include "graph/endpoints.hpp"
#include "graph/families.hpp"
#include "graph/numbering.hpp"
#include "graph/original_arcs.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

struct HeavyFamilies {
  Families families;
  std::vector<std::uint32_t> heavy_of_piece;  // of the columns; none where no rank has a heavy vertex
};

/// Collective over the grid column. On one grid column, where every rank has all arcs of its vertices:
/// numbers the own searched vertices anew, so that those of the same first heavy neighbour stand together
/// (docs/adr/0025). Heavy vertices keep their numbers, in front. Nothing is numbered anew where no rank has
/// one. On several grid columns it is number_by_first_hub() (graph/hub_families.hpp).
///
/// @param numbering  by degree class
/// @return the families; their heads are places in the order of for_each_heavy()
HeavyFamilies number_by_first_heavy(Numbering& numbering, const OriginalArcs& arcs,
                                    const Endpoints& endpoints, const BlockPartition& blocks,
                                    const Grid& grid);

}  // namespace isobath
