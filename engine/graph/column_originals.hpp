// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/grid.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Collective over the grid column. Graph::column_original, once it is known which columns exist: of
/// hypersparse ones those with an arc alone.
void build_column_originals(Graph& graph, const Grid& grid);

}  // namespace isobath
