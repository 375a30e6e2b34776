// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/arc_buckets.hpp"
#include "graph/piece_list.hpp"

namespace isobath {

/// Weighted arcs in the order in which they arrive.
using WeightedArcList = PieceList<WeightedArcBuckets::Arc>;

}  // namespace isobath
