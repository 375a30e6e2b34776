// SPDX-License-Identifier: Apache-2.0
#include "sssp/kept_edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sssp/landmark_distances.hpp"
#include "sssp/select_rows.hpp"

namespace isobath {
namespace {

constexpr double light_part = 1.0 / 16;  // of the edges make the first, rough distances

/// Collective. Weights of up to 64 batches spread over the edge list.
std::vector<float> sample_weights(const WeightedEdgeStream& edges, const Communicator& world) {
  constexpr std::int64_t batches = 64;
  constexpr std::int64_t batch = 64;
  std::vector<Edge> read(batch);
  std::vector<float> sample;
  const std::int64_t step = std::max<std::int64_t>(batch, edges.size() / batches);
  for (std::int64_t at = 0; at < edges.size(); at += step) {
    const auto count = static_cast<std::size_t>(std::min(batch, edges.size() - at));
    sample.resize(sample.size() + count);
    edges.read_weighted(at, std::span(read).first(count), std::span(sample).last(count));
  }
  return world.allgatherv<float>(sample);
}

/// The weight below which `light_part` of the sample lies.
float light_weight(std::vector<float> sample) {
  if (sample.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(static_cast<double>(sample.size()) * light_part);
  std::nth_element(sample.begin(), sample.begin() + place, sample.end());
  return sample[static_cast<std::size_t>(place)];
}

struct IsLight {
  float limit;
  void prefetch(const Edge&) const {}
  bool operator()(const Edge&, float weight) const { return weight <= limit; }
};

/// May a shortest path take this edge?
struct MayMatter {
  const float* distance;
  double margin;
  void prefetch(const Edge& edge) const {
    __builtin_prefetch(distance + raw(edge.u));
    __builtin_prefetch(distance + raw(edge.v));
  }
  bool operator()(const Edge& edge, float weight) const {
    return (*this)(static_cast<std::size_t>(raw(edge.u)), static_cast<std::size_t>(raw(edge.v)), weight);
  }
  bool operator()(std::size_t u, std::size_t v, float weight) const {
    return !(double{weight} > double{distance[u]} + double{distance[v]} + margin);
  }
};

}  // namespace

double rounding_margin(std::uint32_t most_arcs, float largest) {
  // Four landmark distances one after the other: to the edge, and by the landmark instead of it.
  const float longest = 4 * largest * 1.01F;
  const double ulp =
      double{std::nextafter(longest, std::numeric_limits<float>::infinity())} - double{longest};
  return (2.0 * most_arcs + 4) * ulp;
}

KeptEdges keep_edges(const WeightedEdgeStream& edges, const BlockPartition& blocks, const Communicator& world,
                     GlobalVertex landmark, PhaseObserver& observer) {
  observer.phase(Phase::prune);
  const std::vector<float> sample = sample_weights(edges, world);
  const float light = light_weight(sample);
  WeightedRows rows = select_rows(edges, blocks, world, IsLight{light});
  observer.phase(Phase::landmark);
  LandmarkDistances distances(world, blocks, landmark);
  distances.relax(rows);

  // The largest distance is known only after the second pass, but its rounding is needed in it: guess.
  KeptEdges kept;
  const float heaviest = sample.empty() ? 0 : *std::max_element(sample.begin(), sample.end());
  for (float guess = std::max(8 * heaviest, distances.largest());; guess = 8 * distances.largest()) {
    observer.phase(Phase::prune);
    rows = {};
    kept.distance = distances.of_all();
    const MayMatter may_matter{kept.distance.data(), rounding_margin(distances.most_arcs() + 16, guess)};
    rows = select_rows(edges, blocks, world, may_matter);
    observer.phase(Phase::landmark);
    distances.relax(rows);
    if (distances.largest() <= guess) break;
  }

  observer.phase(Phase::prune);
  kept.distance = distances.of_all();
  kept.margin = rounding_margin(distances.most_arcs(), distances.largest());
  const auto first = static_cast<std::size_t>(blocks.first(world.rank()));
  const MayMatter may_matter{kept.distance.data(), kept.margin};
  kept.rows = selected_rows(std::move(rows), [&](std::size_t row, const WeightedArc& arc) {
    return may_matter(first + row, arc.to, arc.weight);
  });
  return kept;
}

}  // namespace isobath
