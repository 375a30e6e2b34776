// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "graphfile/assigned_weights.hpp"
#include "graphfile/listed_edges.hpp"
#include "graphfile/vertex_ids.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// This part's edges as a stream, 8 bytes an edge and 4 a weight. The pieces are given back as they are
/// taken over.
/// @param ids       numbers the vertices; nullptr: the numbers of the file
/// @param assigned  weights instead of those of the file
/// @throws RefusedError for more than 2^32 vertices
std::unique_ptr<WeightedEdgeStream> make_file_edges(ListedEdges listed, std::int64_t num_vertices,
                                                    const VertexIds* ids,
                                                    const AssignedWeights& assigned = {});

}  // namespace isobath
