// SPDX-License-Identifier: Apache-2.0
#include "graph500/construction_timing.hpp"

#include <algorithm>
#include <cstddef>

#include "base/clock.hpp"
#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {

void ConstructionTimer::settle(double now) {
  if (running_) seconds_[static_cast<std::size_t>(current_)] += now - last_change_;
  last_change_ = now;
}

void ConstructionTimer::phase(Phase begun) {
  const double now = now_seconds();
  settle(now);
  running_ = true;
  current_ = begun;
  entered_[static_cast<std::size_t>(begun)] = 1;
  heartbeat_.phase(begun);
}

void ConstructionTimer::end() {
  settle(now_seconds());
  running_ = false;
}

ByPhase<double> ConstructionTimer::phases(const Communicator& world) const {
  std::array<double, num_phases> seconds = seconds_;
  std::array<std::int64_t, num_phases> entered = entered_;
  world.max(std::span<double>(seconds));
  world.max(std::span<std::int64_t>(entered));
  ByPhase<double> phases;
  for (std::size_t i = 0; i < num_phases; ++i) {
    if (entered[i] != 0) phases.emplace_back(static_cast<Phase>(i), seconds[i]);
  }
  return phases;
}

void RetrievalClock::add(double seconds) {
  const auto thread = static_cast<std::size_t>(thread_id());
  ISOBATH_EXPECTS(thread < threads_.size());
  threads_[thread].seconds += seconds;
}

double RetrievalClock::seconds() const {
  double longest = 0;
  for (const PerThread& thread : threads_) longest = std::max(longest, thread.seconds);
  return longest;
}

void RetrievalTimer::read(std::int64_t first, std::span<Edge> edges) const {
  const double start = now_seconds();
  edges_.read(first, edges);
  clock_.add(now_seconds() - start);
}

void WeightedRetrievalTimer::read(std::int64_t first, std::span<Edge> edges) const {
  const double start = now_seconds();
  edges_.read(first, edges);
  clock_.add(now_seconds() - start);
}

void WeightedRetrievalTimer::read_weighted(std::int64_t first, std::span<Edge> edges,
                                           std::span<float> weights) const {
  const double start = now_seconds();
  edges_.read_weighted(first, edges, weights);
  clock_.add(now_seconds() - start);
}

}  // namespace isobath
