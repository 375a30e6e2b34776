// SPDX-License-Identifier: Apache-2.0
#include "sssp/kept_edges.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/threads.hpp"
#include "graph/piece_list.hpp"
#include "sssp/distance.hpp"

namespace isobath {
namespace {

constexpr double light_part = 1.0 / 16;  // of the edges make the first, rough distances

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

/// One end of a selected edge on its way to the vertex's owner.
struct End {
  std::int64_t vertex;
  WeightedArc arc;
};

/// Threads read edges [first, end) of the share; take(thread, edge, weight) for each that is kept.
template <class Keep, class Take>
void scan(const WeightedEdgeStream& edges, std::int64_t first, std::int64_t end, Keep&& keep, Take&& take) {
#pragma omp parallel
  {
    constexpr std::int64_t batch = 1024;
    std::array<Edge, batch> read;
    std::array<float, batch> weights;
    const auto me = static_cast<std::size_t>(thread_id());
    const auto [begin, stop] = static_share(end - first, thread_id(), num_threads());
    for (std::int64_t at = first + begin; at < first + stop; at += batch) {
      const auto count = static_cast<std::size_t>(std::min(batch, first + stop - at));
      edges.read_weighted(at, std::span(read).first(count), std::span(weights).first(count));
      for (std::size_t i = 0; i < count; ++i) keep.prefetch(read[i]);
      for (std::size_t i = 0; i < count; ++i) {
        if (read[i].u != read[i].v && keep(read[i], weights[i])) take(me, read[i], weights[i]);
      }
    }
  }
}

/// Collective. Rows of the own vertices, with the edges for which keep(edge, weight) holds; self-loops never.
/// Targets are original numbers, copies of an edge stay. `keep` is told of an edge before it is asked:
/// prefetch(edge). Another pass over the edge list; memory beyond what is kept is bounded.
template <class Keep>
WeightedRows select_rows(const WeightedEdgeStream& edges, const BlockPartition& blocks,
                         const Communicator& world, Keep&& keep) {
  const auto threads = static_cast<std::size_t>(max_threads());
  const auto own = static_cast<std::size_t>(blocks.size(world.rank()));
  const auto target = [](GlobalVertex v) { return static_cast<std::uint32_t>(raw(v)); };
  std::vector<PieceList<RowArc>> lists(threads);
  if (world.size() == 1) {
    scan(edges, 0, edges.size(), keep, [&](std::size_t me, const Edge& edge, float weight) {
      lists[me].add({target(edge.u), {target(edge.v), weight}});
      lists[me].add({target(edge.v), {target(edge.u), weight}});
    });
    return make_rows(own, std::move(lists));
  }

  constexpr std::int64_t edges_per_round = std::int64_t{1} << 20;
  const std::int64_t rounds = world.max((edges.size() + edges_per_round - 1) / edges_per_round);
  MessageLists<End> outgoing(world, threads);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * edges_per_round, edges.size());
    const auto send = [&](std::size_t me, GlobalVertex to, GlobalVertex other, float weight) {
      outgoing.add(blocks.block_of(to), {raw(to), {target(other), weight}}, me);
    };
    scan(edges, first, std::min(first + edges_per_round, edges.size()), keep,
         [&](std::size_t me, const Edge& edge, float weight) {
           send(me, edge.u, edge.v, weight);
           send(me, edge.v, edge.u, weight);
         });
    for (const End& end : outgoing.send()) {
      lists[0].add({static_cast<std::uint32_t>(end.vertex - blocks.first(world.rank())), end.arc});
    }
  }
  return make_rows(own, std::move(lists));
}

constexpr std::uint64_t label_of(float distance, std::uint32_t arcs) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32 | arcs;  // floats >= 0 order as integers
}
constexpr float distance_of(std::uint64_t label) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(label >> 32));
}
constexpr std::uint32_t arcs_of(std::uint64_t label) { return static_cast<std::uint32_t>(label); }

constexpr std::uint64_t no_label = label_of(unreached, 0);

}  // namespace

LandmarkDistances::LandmarkDistances(const Communicator& world, const BlockPartition& blocks,
                                     GlobalVertex landmark)
    : world_(world),
      blocks_(blocks),
      first_(blocks.first(world.rank())),
      label_(static_cast<std::size_t>(blocks.size(world.rank()))),
      is_changed_(label_.size()),
      changed_(static_cast<std::size_t>(max_threads())),
      offers_(world, changed_.size()) {
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < label_.size(); ++v) label_[v] = no_label;
  if (blocks.block_of(landmark) == world.rank()) {
    label_[static_cast<std::size_t>(raw(landmark) - first_)] = label_of(0, 0);
  }
}

/// By any thread. True where the vertex came nearer and was not known to have changed.
bool LandmarkDistances::adopt(std::size_t own, Label label) {
  std::atomic_ref<Label> held(label_[own]);
  Label seen = held.load(std::memory_order_relaxed);
  do {
    if (label >= seen) return false;
  } while (!held.compare_exchange_weak(seen, label, std::memory_order_relaxed));
  return std::atomic_ref(is_changed_[own]).exchange(1, std::memory_order_relaxed) == 0;
}

void LandmarkDistances::relax_from(const WeightedRows& rows, std::uint32_t vertex, std::size_t me) {
  const Label label = std::atomic_ref(label_[vertex]).load(std::memory_order_relaxed);
  for (const auto& [to, weight] : rows.of(vertex)) {
    const Label offer = label_of(distance_of(label) + weight, arcs_of(label) + 1);
    const std::int64_t own = std::int64_t{to} - first_;
    if (own >= 0 && own < static_cast<std::int64_t>(label_.size())) {
      if (adopt(static_cast<std::size_t>(own), offer))
        changed_[me].push_back(static_cast<std::uint32_t>(own));
    } else {
      offers_.add(blocks_.block_of(GlobalVertex{to}), {to, offer}, me);
    }
  }
}

/// Collective. Offers to vertices of other ranks.
void LandmarkDistances::exchange_offers() {
  if (world_.size() == 1) return;
  for (const Offer& offer : offers_.send()) {
    const auto own = static_cast<std::size_t>(offer.vertex - first_);
    if (adopt(own, offer.label)) changed_[0].push_back(static_cast<std::uint32_t>(own));
  }
}

/// Collective. What changed becomes the frontier; how many there are over all ranks.
std::int64_t LandmarkDistances::collect_changed() {
  frontier_.clear();
  for (auto& of_thread : changed_) {
    frontier_.insert(frontier_.end(), of_thread.begin(), of_thread.end());
    of_thread.clear();
  }
  for (const std::uint32_t vertex : frontier_) is_changed_[vertex] = 0;
  return world_.sum(static_cast<std::int64_t>(frontier_.size()));
}

void LandmarkDistances::relax(const WeightedRows& rows) {
  for (std::size_t v = 0; v < label_.size(); ++v) {
    if (label_[v] != no_label && !rows.of(v).empty()) changed_[0].push_back(static_cast<std::uint32_t>(v));
  }
  while (collect_changed() > 0) {
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t i = 0; i < frontier_.size(); ++i) {
      relax_from(rows, frontier_[i], static_cast<std::size_t>(thread_id()));
    }
    exchange_offers();
  }
}

LargeArray<float> LandmarkDistances::of_all() const {
  LargeArray<float> all(static_cast<std::size_t>(blocks_.num_vertices()));
  float* const mine = all.data() + first_;
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < label_.size(); ++v) mine[v] = distance_of(label_[v]);
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < world_.size(); ++rank) counts.push_back(blocks_.size(rank));
  world_.allgatherv<float>({mine, label_.size()}, counts, all.span());
  return all;
}

std::uint32_t LandmarkDistances::most_arcs() const {
  std::uint32_t most = 0;
  for (const Label label : label_) most = std::max(most, arcs_of(label));
  return static_cast<std::uint32_t>(world_.max(std::int64_t{most}));
}

float LandmarkDistances::largest() const {
  float largest = 0;
  for (const Label label : label_) {
    if (label != no_label) largest = std::max(largest, distance_of(label));
  }
  return static_cast<float>(world_.max(static_cast<double>(largest)));
}

double rounding_margin(std::uint32_t most_arcs, float largest) {
  // Four landmark distances one after the other: to the edge, and by the landmark instead of it.
  const float longest = 4 * largest * 1.01F;
  const double ulp =
      double{std::nextafter(longest, std::numeric_limits<float>::infinity())} - double{longest};
  return (2.0 * most_arcs + 4) * ulp;
}

EdgeSample sample_edges(const WeightedEdgeStream& edges, const Communicator& world) {
  constexpr std::int64_t batches = 64;
  constexpr std::int64_t batch = 64;
  EdgeSample sample;
  const std::int64_t step = std::max<std::int64_t>(batch, edges.size() / batches);
  for (std::int64_t at = 0; at < edges.size(); at += step) {
    const auto count = static_cast<std::size_t>(std::min(batch, edges.size() - at));
    sample.edges.resize(sample.edges.size() + count);
    sample.weights.resize(sample.edges.size());
    edges.read_weighted(at, std::span(sample.edges).last(count), std::span(sample.weights).last(count));
  }
  sample.all = world.allgatherv<float>(sample.weights);
  return sample;
}

LightWeight light_weight(const EdgeSample& sample) {
  if (sample.all.empty()) return {};
  std::vector<float> weights = sample.all;
  const auto place = static_cast<std::ptrdiff_t>(static_cast<double>(weights.size()) * light_part);
  std::nth_element(weights.begin(), weights.begin() + place, weights.end());
  const float limit = weights[static_cast<std::size_t>(place)];
  const auto light = std::ranges::count_if(weights, [&](float weight) { return weight <= limit; });
  return {limit, static_cast<double>(light) / static_cast<double>(weights.size())};
}

LandmarkPruning::LandmarkPruning(const WeightedEdgeStream& edges, const BlockPartition& blocks,
                                 const Communicator& world, GlobalVertex landmark, EdgeSample sample,
                                 PhaseObserver& observer)
    : edges_(edges),
      world_(world),
      blocks_(blocks),
      sample_(std::move(sample)),
      distances_(world, blocks, landmark) {
  observer.phase(Phase::prune);
  const WeightedRows rows = select_rows(edges, blocks, world, IsLight{light_weight(sample_).limit});
  observer.phase(Phase::landmark);
  distances_.relax(rows);
  observer.phase(Phase::prune);
  distance_ = distances_.of_all();
}

/// The largest distance is known only after the second pass, but its rounding is needed in it.
float LandmarkPruning::first_guess() const {
  const float heaviest = sample_.all.empty() ? 0 : *std::max_element(sample_.all.begin(), sample_.all.end());
  return std::max(8 * heaviest, distances_.largest());
}

/// Of the second pass, whose paths have a few arcs more than those of the first.
double LandmarkPruning::margin_of(float largest) const {
  return rounding_margin(distances_.most_arcs() + 16, largest);
}

double LandmarkPruning::likely_part() const {
  const MayMatter may_matter{distance_.data(), margin_of(first_guess())};
  std::int64_t counts[] = {0, std::ssize(sample_.edges)};
  for (std::size_t i = 0; i < sample_.edges.size(); ++i) {
    const Edge& edge = sample_.edges[i];
    if (edge.u != edge.v && may_matter(edge, sample_.weights[i])) ++counts[0];
  }
  world_.sum(std::span<std::int64_t>(counts));
  return counts[1] == 0 ? 1 : static_cast<double>(counts[0]) / static_cast<double>(counts[1]);
}

KeptEdges LandmarkPruning::keep(PhaseObserver& observer) {
  WeightedRows rows;
  for (float guess = first_guess();; guess = 8 * distances_.largest()) {
    observer.phase(Phase::prune);
    rows = {};
    distance_ = {};
    distance_ = distances_.of_all();
    const MayMatter may_matter{distance_.data(), margin_of(guess)};
    rows = select_rows(edges_, blocks_, world_, may_matter);
    observer.phase(Phase::landmark);
    distances_.relax(rows);
    if (distances_.largest() <= guess) break;
  }

  observer.phase(Phase::prune);
  KeptEdges kept;
  distance_ = {};
  kept.distance = distances_.of_all();
  kept.margin = rounding_margin(distances_.most_arcs(), distances_.largest());
  const auto first = static_cast<std::size_t>(blocks_.first(world_.rank()));
  const MayMatter may_matter{kept.distance.data(), kept.margin};
  kept.rows = selected_rows(std::move(rows), [&](std::size_t row, const WeightedArc& arc) {
    return may_matter(first + row, arc.to, arc.weight);
  });
  return kept;
}

}  // namespace isobath
