// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/dijkstra.hpp"
#include "validate/sssp_rules.hpp"
#include "validation_case.hpp"

namespace isobath::test {

using Distances = std::vector<float>;

/// A graph that every rank knows whole; weights[i] belongs to graph.edges[i].
struct WeightedGraph {
  Graph graph;
  std::vector<float> weights;

  const std::string& name() const { return graph.name; }
  reference::WeightedAdjacency adjacency() const {
    return reference::weighted_adjacency(graph.num_vertices, graph.edges, weights);
  }
};

/// Weights in [0, 1), mostly different.
WeightedGraph with_fine_weights(Graph graph, std::uint64_t seed);
/// Quarters in [0, 1): edges that add nothing, and many paths of one length.
WeightedGraph with_coarse_weights(Graph graph, std::uint64_t seed);
/// Weights of the benchmark.
WeightedGraph weighted_kronecker(int scale);
/// Small graphs of all kinds.
std::vector<WeightedGraph> odd_weighted_graphs();

struct PathAnswer {
  Parents parents;
  Distances distances;
  friend bool operator==(const PathAnswer&, const PathAnswer&) = default;
};

/// A right answer: distances of the serial twin, each parent drawn among the neighbours that give the
/// distance and are nearer to the root, where there is one.
PathAnswer right_path_answer(const reference::WeightedAdjacency& graph, GlobalVertex root, Random& random);

/// Collective. Validates an answer for the whole graph, each rank holding its part of it and of the edges.
SsspValidation validate(const WeightedGraph& graph, const PathAnswer& answer, GlobalVertex root,
                        ClaimedEdges claimed = {}, VertexFacts facts = VertexFacts::fewest_bytes,
                        std::optional<ExchangeLimits> limits = {});

/// Collective. Validates asking for facts of vertices, with tight limits too, and gathering them, and expects
/// of every rank the serial twin's verdict: counts, examples and facts.
SsspValidation expect_the_twins_verdict(const WeightedGraph& graph, const PathAnswer& answer,
                                        GlobalVertex root, ClaimedEdges claimed = {});

}  // namespace isobath::test
