// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "sssp/distance.hpp"
#include "sssp/upper_graph.hpp"

namespace isobath {

/// A way to an upper vertex: how long it is, and the original number of the vertex before it (of the root:
/// its own).
struct Offer {
  std::uint32_t to;
  float distance;
  std::uint32_t parent;
};

/// Tentative distances, and original numbers of parents, of the upper vertices by upper number; more may
/// follow (see OwnVertices::from).
struct UpperPaths {
  LargeArray<float> distance;
  LargeArray<std::uint32_t> parent;
};

/// The best way over some arcs to vertices whose distances are known.
struct BestWay {
  float distance = unreached;
  std::uint32_t over = 0;  // upper number
};
inline BestWay best_way(std::span<const WeightedArc> arcs, const UpperPaths& paths) {
  BestWay best;
  for (const auto& [to, weight] : arcs) {
    const float offered = paths.distance[to] + weight;
    const bool nearer = offered < best.distance;
    best.distance = nearer ? offered : best.distance;
    best.over = nearer ? to : best.over;
  }
  return best;
}

/// The best offer to each vertex that can be reached from `start` by climbing alone, by falling upper number.
/// Peeled vertices pass on what they got; those of the path core do not.
std::vector<Offer> climb(const UpperGraph& upper, std::vector<Offer> start);

/// Relaxes arcs of the path core from the vertices whose bit is set in `changed`, until none is left: sweeps
/// down and up the order in turn, each over the changed vertices alone. Most shortest paths go towards the
/// landmark and out again, so few sweeps suffice. Returns how many arcs were relaxed.
/// @param changed  a bit for each vertex of the path core; all zero afterwards
std::int64_t settle(const UpperGraph& upper, UpperPaths& paths, std::span<Word> changed);

/// One round of descent, the part [begin, end) of its vertices: each takes the best way over its arcs.
/// Parents of vertices with one arc are not written: they are always the same (see `UpperGraph::Round`).
void descend(const UpperGraph& upper, const UpperGraph::Round& round, std::uint32_t begin, std::uint32_t end,
             UpperPaths& paths);

}  // namespace isobath
