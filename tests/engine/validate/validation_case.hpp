// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/vertex.hpp"
#include "reference/adjacency.hpp"
#include "reference/bfs.hpp"
#include "reference/rules.hpp"
#include "validate/bfs_rules.hpp"

namespace isobath::test {

using Parents = std::vector<GlobalVertex>;
using Random = std::mt19937_64;  // raw draws only: distributions differ between libraries

constexpr std::size_t at(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }
/// One of 0 .. below - 1.
inline std::int64_t draw(Random& random, std::int64_t below) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
}

/// A graph that every rank knows whole.
struct Graph {
  std::string name;
  std::int64_t num_vertices;
  std::vector<Edge> edges;

  reference::Adjacency adjacency() const { return reference::adjacency(num_vertices, edges); }
};

Graph star(std::int64_t num_vertices);
/// Vertices in a line, in natural, reversed or random order.
Graph path(std::int64_t num_vertices);
Graph reversed_path(std::int64_t num_vertices);
Graph scattered_path(std::int64_t num_vertices);
/// Levels beyond 28 with branches and edges between neighbouring levels.
Graph ladder(std::int64_t num_rungs);
Graph cycle(std::int64_t num_vertices);
Graph two_components(std::int64_t num_vertices);
Graph only_self_loops(std::int64_t num_vertices);
Graph duplicates(std::int64_t num_vertices);
/// Edges between random vertices; self-loops, duplicates and isolated vertices happen.
Graph random_multigraph(std::int64_t num_vertices, std::int64_t num_edges, std::uint64_t seed);
Graph kronecker(int scale);
/// All of the above, small.
std::vector<Graph> odd_graphs();

/// A right answer: levels of the serial twin, each parent drawn among the neighbours one level up.
Parents right_answer(const reference::Adjacency& graph, GlobalVertex root, Random& random);

/// Of messages to owners: so tight that edges take two chunks or three, most of them in several parts.
ExchangeLimits tight_limits(std::size_t num_edges);

/// Collective. Validates `parents` of the whole graph, each rank holding its part of them and of the edges.
BfsValidation validate(const Graph& graph, const Parents& parents, GlobalVertex root,
                       ClaimedEdges claimed = {}, ListCopy copy = ListCopy::no,
                       VertexFacts facts = VertexFacts::fewest_bytes,
                       std::optional<ExchangeLimits> limits = {});

/// Collective. Validates in all ways, without and with a copy of the list, asking for facts of vertices, with
/// tight limits too, and gathering them, and expects of every rank the serial twin's verdict: counts,
/// examples and levels.
BfsValidation expect_the_twins_verdict(const Graph& graph, const Parents& parents, GlobalVertex root,
                                       ClaimedEdges claimed = {});

/// Whether one of many trials is made on so many ranks. One rank makes them all; of `ranks`, where each takes
/// longer and tells no more, every ranks-th is made, or as many as are of one kind in each round of `kinds`.
bool is_tried_here(int trial, int kinds = 1);
/// One rank makes each mutation in every graph that offers a place for it; several in the first three.
int most_graphs_of_a_mutation();

/// Claims that are right for the component of `root`.
ClaimedEdges right_claims(const reference::Adjacency& graph, GlobalVertex root);

}  // namespace isobath::test
