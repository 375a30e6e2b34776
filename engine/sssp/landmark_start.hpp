// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "graph/endpoints.hpp"
#include "partition/block_partition.hpp"
#include "partition/edge_stream.hpp"
#include "sssp/kept_edges.hpp"

namespace isobath {

/// The plan landmark numbers vertices with 31 bits.
inline constexpr std::int64_t most_landmark_vertices = std::int64_t{1} << 31;
/// @throws RefusedError when a graph has more vertices
void require_landmark_numbers(std::int64_t num_vertices);

/// The vertex of most end points, the lowest of equal ones.
struct Landmark {
  GlobalVertex vertex = no_vertex;
  std::int64_t endpoints = 0;
};

/// The plan `landmark` up to where it is known what it will yield: end points are counted, the landmark is
/// chosen, the first of two passes for its distances is made. construct_path_plan() decides here.
class LandmarkStart {
 public:
  /// Collective. @param edges, world  outlive this
  /// @throws RefusedError for more than 2^31 vertices
  LandmarkStart(const WeightedEdgeStream& edges, const Communicator& world, EdgeSample sample,
                PhaseObserver& observer);

  const BlockPartition& blocks() const { return blocks_; }
  const Endpoints& endpoints() const { return endpoints_; }
  const Landmark& landmark() const { return landmark_; }
  /// Collective. The part of the edges that will be taken in the second pass, by a sample.
  double likely_part() const { return pruning_->likely_part(); }
  /// Collective. The second pass; once.
  KeptEdges take_kept_edges(PhaseObserver& observer) {
    KeptEdges kept = pruning_->keep(observer);
    pruning_.reset();  // its distances take 9 bytes a vertex
    return kept;
  }

 private:
  BlockPartition blocks_;
  Endpoints endpoints_;
  Landmark landmark_;
  std::optional<LandmarkPruning> pruning_;
};

}  // namespace isobath
