// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apps/search_options.hpp"
#include "comm/communicator.hpp"
#include "graphfile/vertex_ids.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// A graph of a file on all ranks: this rank's edges, and how its vertices are called.
struct LoadedGraph {
  std::unique_ptr<WeightedEdgeStream> edges;
  std::optional<VertexIds> ids;  // where vertices were numbered compactly
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool weighted = false;
  double seconds = 0;  // slowest rank

  /// The number inside of a vertex that the file calls `id`; -1 where there is none.
  std::int64_t number_of(std::int64_t id) const;
  /// What the file calls a vertex; numbers that are no vertex stay as they are.
  std::int64_t id_of(std::int64_t number) const;
};

/// Collective. Every rank reads its part; sparse ids are numbered compactly where that is asked for or
/// automatic.
/// @throws EnvironmentError naming file and line or byte, RefusedError for too many vertices, UsageError
/// where weights are wanted and there are none
LoadedGraph load_graph(const SearchOptions& options, const Communicator& world);

/// Writes the ids of a compact numbering, int64 in the order of the numbers. @throws EnvironmentError
void write_ids(const VertexIds& ids, const std::string& path);

}  // namespace isobath
