// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/vertex.hpp"

namespace isobath::reference {

/// A graph of the Graph500 benchmark: 2^scale vertices, edgefactor * 2^scale edges, two user seeds.
struct Kronecker {
  int scale = 1;
  int edgefactor = 16;
  std::uint64_t seed1 = 2;
  std::uint64_t seed2 = 3;
};

/// One edge and its weight, level by level as the specification writes it down. Twin of engine/generator.
struct WeightedEdge {
  Edge edge;
  float weight;
};
WeightedEdge kronecker_edge(const Kronecker& graph, std::int64_t index);

/// All edges in index order; for small scales.
std::vector<Edge> kronecker(const Kronecker& graph);

/// The candidate that the reference program draws `position` / 2 tries after the first.
GlobalVertex search_key_candidate(const Kronecker& graph, std::int64_t position);

}  // namespace isobath::reference
