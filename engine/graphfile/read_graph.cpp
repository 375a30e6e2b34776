// SPDX-License-Identifier: Apache-2.0
#include "graphfile/read_graph.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/packed_edges.hpp"
#include "graphfile/text_edges.hpp"

namespace isobath {
namespace {

void check(const GraphRequest& request) {
  const bool has_room = request.format == GraphFormat::packed || request.format == GraphFormat::raw;
  if (has_room || request.weights_path.empty()) return;
  throw UsageError(
      fmt::format("--weights goes with packed and raw edges only; a file of format {} has its own",
                  name_of(request.format)));
}

}  // namespace

ListedEdges read_graph_file(const GraphRequest& request) {
  check(request);
  using Weights = LineRules::Weights;
  ListedEdges listed;
  listed.path = request.path;
  const int part = request.part;
  const int parts = request.parts;
  const bool wants = request.wants_weights;
  switch (request.format) {
    case GraphFormat::matrix_market:
      read_matrix_market(listed, part, parts, wants);
      break;
    case GraphFormat::edge_list:
      read_edge_list(listed, part, parts, Weights::absent);
      break;
    case GraphFormat::weighted_list:
      read_edge_list(listed, part, parts, wants ? Weights::read : Weights::skipped);
      break;
    case GraphFormat::gapbs:
      read_gapbs(listed, part, parts, false, false, request.weight_type);
      break;
    case GraphFormat::gapbs_weights:
      read_gapbs(listed, part, parts, true, wants, request.weight_type);
      break;
    case GraphFormat::packed:
      read_packed_edges(listed, part, parts, wants ? request.weights_path : std::string());
      break;
    case GraphFormat::raw:
      read_raw_edges(listed, part, parts, wants ? request.weights_path : std::string());
      break;
  }
  return listed;
}

}  // namespace isobath
