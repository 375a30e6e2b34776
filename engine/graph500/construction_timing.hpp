// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "partition/edge_stream.hpp"
#include "record/heartbeat.hpp"
#include "record/records.hpp"

namespace isobath {

/// Adds up the seconds of each phase of a construction and shows the phase on the heartbeat page.
class ConstructionTimer final : public PhaseObserver {
 public:
  explicit ConstructionTimer(Heartbeat& heartbeat) : heartbeat_(heartbeat) {}
  void phase(Phase begun) override;
  /// The last phase ends.
  void end();
  /// Collective. Seconds of each phase that happened, of its slowest rank.
  ByPhase<double> phases(const Communicator& world) const;

 private:
  void settle(double now);

  Heartbeat& heartbeat_;
  bool running_ = false;
  Phase current_ = Phase::start;
  double last_change_ = 0;
  std::array<double, num_phases> seconds_{};
  std::array<std::int64_t, num_phases> entered_{};
};

/// Adds up the time that getting edges took, thread by thread.
class RetrievalClock {
 public:
  /// Edges are read by at most `threads` threads at once.
  explicit RetrievalClock(int threads) : threads_(static_cast<std::size_t>(threads)) {}
  void add(double seconds);
  /// Seconds of the thread that spent most: that long the retrieval delays a parallel loop.
  double seconds() const;

 private:
  struct alignas(64) PerThread {  // no two threads write one cache line
    double seconds = 0;
  };
  std::vector<PerThread> threads_;
};

/// Passes edges on and tells the clock.
class RetrievalTimer final : public EdgeStream {
 public:
  /// Both outlive this.
  RetrievalTimer(const EdgeStream& edges, RetrievalClock& clock) : edges_(edges), clock_(clock) {}
  std::int64_t size() const override { return edges_.size(); }
  std::int64_t num_vertices() const override { return edges_.num_vertices(); }
  void read(std::int64_t first, std::span<Edge> edges) const override;

 private:
  const EdgeStream& edges_;
  RetrievalClock& clock_;
};

/// The same with weights.
class WeightedRetrievalTimer final : public WeightedEdgeStream {
 public:
  /// Both outlive this.
  WeightedRetrievalTimer(const WeightedEdgeStream& edges, RetrievalClock& clock)
      : edges_(edges), clock_(clock) {}
  std::int64_t size() const override { return edges_.size(); }
  std::int64_t num_vertices() const override { return edges_.num_vertices(); }
  void read(std::int64_t first, std::span<Edge> edges) const override;
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override;

 private:
  const WeightedEdgeStream& edges_;
  RetrievalClock& clock_;
};

}  // namespace isobath
