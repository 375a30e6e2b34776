// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "graphfile/listed_edges.hpp"

namespace isobath {

/// How the weights of a .wsg are written. GAPBS writes int32 unless it was built with float weights, and the
/// file does not say which.
enum class WeightType { detect, int32, float32 };
/// Reads auto, int32 or float32. @throws UsageError
WeightType parse_weight_type(std::string_view name);

/// .sg and .wsg of GAPBS: one byte (1: directed), the numbers of arcs and vertices (int64), where the row of
/// each vertex begins (int64, one more than vertices), the targets (int32), each followed by its weight in a
/// .wsg; a directed graph has offsets and targets once more for incoming arcs. All little-endian, unaligned.
///
/// Of an undirected graph, which has every edge in two rows, the arc to the greater vertex becomes the edge;
/// of a directed one every outgoing arc. WeightType::detect takes weights for int32 where one of them lies in
/// 1 .. 2^23 - 1, which no normal float32 does.
/// @param has_weights  a .wsg  @param wants_weights  else they are passed over
void read_gapbs(ListedEdges& listed, int part, int parts, bool has_weights, bool wants_weights,
                WeightType weight_type);

/// Edges of 12 bytes (generator/compact_edge.hpp), as the Graph500 reference keeps them.
/// @param weights_path  float32 weights in the order of the edges; empty: none
void read_packed_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path);

/// Edges of two 64-bit little-endian vertices, as isobath export writes them.
void read_raw_edges(ListedEdges& listed, int part, int parts, const std::string& weights_path);

}  // namespace isobath
