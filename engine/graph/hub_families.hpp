// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/grid.hpp"
#include "graph/endpoints.hpp"
#include "graph/families.hpp"
#include "graph/named_hubs.hpp"
#include "graph/numbering.hpp"
#include "graph/original_arcs.hpp"
#include "partition/block_partition.hpp"

namespace isobath {

/// Collective over the grid row. On several grid columns: numbers the own searched vertices anew, so that
/// those of the same first hub stand together (docs/adr/0025). Hubs and heavy vertices are in front, by
/// falling degree; the others follow by the place of the first hub among their neighbours, and those without
/// one, or with one of the places behind an eighth of the own searched vertices, come last: what is kept by
/// hub while they are counted grows with these, not with all hubs. Among equals in original order.
///
/// @param numbering  by degree class
/// @param named      hubs in front, not empty
/// @return the families; their heads are hub numbers
Families number_by_first_hub(Numbering& numbering, const OriginalArcs& arcs, const Endpoints& endpoints,
                             const BlockPartition& blocks, const Grid& grid, const NamedHubs& named);

}  // namespace isobath
