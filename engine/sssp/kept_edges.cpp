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

/// May a shortest path take this edge?
struct MayMatter {
  const float* distance;
  double margin;
  bool operator()(std::size_t u, std::size_t v, float weight) const {
    return !(double{weight} > double{distance[u]} + double{distance[v]} + margin);
  }
};

/// The own rows without the arcs that can not matter.
WeightedRows filtered(const WeightedRows& rows, std::int64_t first, const MayMatter& may_matter) {
  WeightedRows result;
  result.start = LargeArray<std::uint64_t>(rows.start.size());
  const auto for_each_kept = [&](std::size_t row, auto&& visit) {
    for (const WeightedArc& arc : rows.of(row)) {
      if (may_matter(static_cast<std::size_t>(first) + row, arc.to, arc.weight)) visit(arc);
    }
  };
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    for_each_kept(row, [&](const WeightedArc&) { ++result.start[row + 1]; });
  }
  for (std::size_t row = 0; row < rows.num_rows(); ++row) result.start[row + 1] += result.start[row];
  result.arc = LargeArray<WeightedArc>(result.start[rows.num_rows()]);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < rows.num_rows(); ++row) {
    std::uint64_t at = result.start[row];
    for_each_kept(row, [&](const WeightedArc& arc) { result.arc[at++] = arc; });
  }
  return result;
}

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
  WeightedRows rows =
      select_rows(edges, blocks, world, [&](const Edge&, float weight) { return weight <= light; });
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
    rows = select_rows(edges, blocks, world, [&](const Edge& edge, float weight) {
      return may_matter(static_cast<std::size_t>(raw(edge.u)), static_cast<std::size_t>(raw(edge.v)), weight);
    });
    observer.phase(Phase::landmark);
    distances.relax(rows);
    if (distances.largest() <= guess) break;
  }

  observer.phase(Phase::prune);
  kept.distance = distances.of_all();
  kept.margin = rounding_margin(distances.most_arcs(), distances.largest());
  kept.rows = filtered(rows, blocks.first(world.rank()), {kept.distance.data(), kept.margin});
  return kept;
}

}  // namespace isobath
