// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "graph/endpoints.hpp"
#include "partition/block_partition.hpp"
#include "sssp/kept_edges.hpp"
#include "sssp/path_steps.hpp"
#include "sssp/upper_graph.hpp"

namespace isobath {

/// How the own vertices take parent and distance from a table of entries, made anew in every search: of the
/// upper vertices for their children, by upper number; then of the own upper vertices for themselves; then of
/// the own vertices below with several arcs; then one for those that are not reached.
struct OwnVertices {
  LargeArray<std::uint32_t> entry;  // by own original
  LargeArray<float> weight;         // of the arc to the entry's vertex; 0 where the entry is the vertex's own
  std::vector<std::uint32_t> upper;  // own upper vertices, in original order: upper numbers
  WeightedRows several;              // own vertices below with several arcs, in original order
  std::uint32_t num_upper = 0;       // of all ranks

  std::uint32_t first_own() const { return num_upper; }
  std::uint32_t first_several() const { return num_upper + static_cast<std::uint32_t>(upper.size()); }
  std::uint32_t unreached() const { return first_several() + static_cast<std::uint32_t>(several.num_rows()); }
  std::uint32_t num_entries() const { return unreached() + 1; }
  bool is_isolated(std::size_t own) const { return entry[own] == unreached(); }

  /// Some upper vertex of the component of own vertex `own`, not isolated.
  std::uint32_t way_up(std::size_t own) const;
  /// The arcs by which own vertex `own`, not isolated, hangs from upper vertices; for an upper vertex: a way
  /// of length 0 to itself.
  std::vector<WeightedArc> ways_up(std::size_t own) const;
};

OwnVertices place_own_vertices(const KeptEdges& kept, const BlockPartition& blocks, int rank,
                               const UpperGraph& upper, const UpperNumbers& numbers);

}  // namespace isobath
