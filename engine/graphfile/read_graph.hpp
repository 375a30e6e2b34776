// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "graphfile/binary_edges.hpp"
#include "graphfile/listed_edges.hpp"

namespace isobath {

/// How a file lists a graph (docs/reference/graph-files.md).
enum class GraphFormat {
  matrix_market,  // coordinate; pattern, real or integer; general, symmetric or skew-symmetric
  edge_list,      // text: two vertices a line
  weighted_list,  // text: two vertices and a weight a line
  gapbs,          // GAPBS .sg: rows of 32-bit targets
  gapbs_weights,  // GAPBS .wsg: rows of 32-bit targets, each with a 32-bit weight
  packed,         // Graph500 reference: 12 bytes an edge
  raw,            // what isobath export writes: two 64-bit vertices an edge
};

std::string_view name_of(GraphFormat format);
/// Reads a name: mtx, el, wel, sg, wsg, packed or raw. @throws UsageError
GraphFormat parse_graph_format(std::string_view name);
/// The format that the name of a file says, .gz and .zst left out of account.
/// @throws UsageError where it says none
GraphFormat format_of_file(const std::string& path);
/// May be compressed, and is read line by line.
bool is_text(GraphFormat format);

/// Which graph is wanted, and how it is written.
struct GraphRequest {
  std::string path;
  GraphFormat format = GraphFormat::edge_list;
  std::string weights_path;  // float32 beside packed and raw edges; empty: none
  bool wants_weights = false;
  WeightType weight_type = WeightType::detect;
  int part = 0;  // of `parts` that together are the whole file: one for each rank
  int parts = 1;
};

/// Reads a part of a file, by all threads. What it holds is checked as it is read, so that memory follows the
/// bytes that were right and never what a header claims; what only the whole can show is left to
/// require_as_declared().
/// @throws EnvironmentError naming file and line or byte, UsageError for a request that makes no sense
ListedEdges read_graph_file(const GraphRequest& request);

}  // namespace isobath
