// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graphfile/format.hpp"
#include "graphfile/gapbs.hpp"
#include "graphfile/listed_edges.hpp"

namespace isobath {

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
