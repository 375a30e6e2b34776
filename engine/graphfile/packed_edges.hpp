// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graphfile/listed_edges.hpp"

namespace isobath {

/// Edges of 12 bytes (generator/compact_edge.hpp), as the Graph500 reference keeps them.
/// @param weights_path  float32 weights in the order of the edges; empty: none
void read_packed_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path);

/// Edges of two 64-bit little-endian vertices, as isobath export writes them.
void read_raw_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path);

}  // namespace isobath
