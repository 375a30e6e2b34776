// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/vertex.hpp"
#include "partition/edge_stream.hpp"

namespace isobath {

/// What distances must be to be those of shortest paths, said of distances alone: no parents are needed.
/// Levels are distances in a graph whose edges all have weight 1.
enum class DistanceClaim {
  range,     // 0: a distance is at least 0 or infinite, and the root's is 0
  spans,     // 1: an edge does not lead from a reached vertex to one that is not
  triangle,  // 2: an edge brings its ends no further apart than its weight
  attained,  // 3: a reached vertex has a neighbour from which an edge leads to exactly its distance, and so
             // on to the root
};
inline constexpr std::size_t num_distance_claims = 4;

/// How often a claim is broken, and the first example.
struct ClaimOutcome {
  std::int64_t violations = 0;
  GlobalVertex first_vertex = no_vertex;
  GlobalVertex first_other = no_vertex;  // the neighbour of claims 1 and 2; as no_vertex where there is none
};

struct DistanceVerdict {
  std::array<ClaimOutcome, num_distance_claims> claims;
  std::int64_t vertices_reached = 0;

  bool passed() const;
  /// E.g. "rule triangle: 3 violations, the first at vertex 17 (further from its neighbour 5 than their edge
  /// is long)"; empty when passed.
  std::string first_violation() const;
};

inline constexpr double unreached = std::numeric_limits<double>::infinity();

/// Validates distances of all vertices against all edges, by all threads of one rank; the searched graph is
/// not used. Rules 0, 2 and 3 together leave no other distances than the shortest (by induction along a
/// shortest path, and along the chain of attained ones); with a tolerance, none further off than it allows at
/// every step.
/// @param edges      the whole graph; WeightedEdgeStream where `weighted`
/// @param distances  one for each vertex, infinite where not reached
/// @param tolerance  that sums may miss, as a part of the larger distance; 0: none
/// @throws EnvironmentError when edges cannot be read
DistanceVerdict validate_distances(const WeightedEdgeStream& edges, bool weighted, GlobalVertex root,
                                   std::span<const double> distances, double tolerance);

}  // namespace isobath
