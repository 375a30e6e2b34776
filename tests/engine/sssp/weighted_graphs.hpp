// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "partition/edge_stream.hpp"

namespace isobath::test {

/// A sample graph whose edges have lengths; weights[i] belongs to graph.edges[i].
struct WeightedGraph {
  SampleGraph graph;
  std::vector<float> weights;
};

/// How edges get their lengths.
enum class Weighing {
  uniform,  // multiples of 2^-31 below 1, as the benchmark's
  none,     // all zero
  equal,    // all one half
  coarse,   // eighths: many ways of equal length
  tiny,     // sums lose what they add: zero, a few 2^-31, or nearly one
};
inline constexpr Weighing all_weighings[] = {Weighing::uniform, Weighing::none, Weighing::equal,
                                             Weighing::coarse, Weighing::tiny};
std::string name_of(Weighing weighing);

WeightedGraph weighted(SampleGraph graph, Weighing weighing);

/// The share of the edges that `rank` of `ranks` contributes.
SpanWeightedEdgeStream share_of(const WeightedGraph& graph, int rank, int ranks);

/// Some vertices to start from: of every component at least one where there are few, then spread.
std::vector<GlobalVertex> path_roots(const WeightedGraph& graph, std::size_t wanted);

/// What is wrong with `parents` and `distances` as shortest paths from `root`, against Dijkstra's search and
/// the rules of the specification; empty when nothing is.
std::string complaint_about_paths(const WeightedGraph& graph, GlobalVertex root,
                                  std::span<const GlobalVertex> parents, std::span<const float> distances);

}  // namespace isobath::test
