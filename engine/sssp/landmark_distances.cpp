// SPDX-License-Identifier: Apache-2.0
#include "sssp/landmark_distances.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/threads.hpp"
#include "sssp/distance.hpp"

namespace isobath {
namespace {

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

}  // namespace isobath
