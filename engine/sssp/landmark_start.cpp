// SPDX-License-Identifier: Apache-2.0
#include "sssp/landmark_start.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace isobath {
namespace {

/// Collective.
Landmark busiest_vertex(const Endpoints& endpoints, const BlockPartition& blocks, const Communicator& world) {
  std::size_t busiest = 0;
  for (std::size_t v = 1; v < endpoints.of.size(); ++v) {
    if (endpoints.of[v].count() > endpoints.of[busiest].count()) busiest = v;
  }
  const std::int64_t own =
      endpoints.of.size() == 0 ? -1 : static_cast<std::int64_t>(endpoints.of[busiest].count());
  const std::int64_t most = world.max(own);
  const std::int64_t first = blocks.first(world.rank());
  const std::int64_t vertex =
      own == most ? first + static_cast<std::int64_t>(busiest) : blocks.num_vertices();
  return {GlobalVertex{world.min(vertex)}, most};
}

Endpoints counted(const WeightedEdgeStream& edges, const BlockPartition& blocks, const Communicator& world,
                  PhaseObserver& observer) {
  require_landmark_numbers(edges.num_vertices());
  observer.phase(Phase::count_degrees);
  return count_endpoints(edges, blocks, world);
}

}  // namespace

void require_landmark_numbers(std::int64_t num_vertices) {
  if (num_vertices <= most_landmark_vertices) return;
  throw RefusedError(
      fmt::format("the plan landmark numbers at most 2^31 vertices and this graph has {}; use another plan",
                  num_vertices));
}

LandmarkStart::LandmarkStart(const WeightedEdgeStream& edges, const Communicator& world, EdgeSample sample,
                             PhaseObserver& observer)
    : blocks_(edges.num_vertices(), world.size()),
      endpoints_(counted(edges, blocks_, world, observer)),
      landmark_(busiest_vertex(endpoints_, blocks_, world)) {
  pruning_.emplace(edges, blocks_, world, landmark_.vertex, std::move(sample), observer);
}

}  // namespace isobath
