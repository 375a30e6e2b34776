// SPDX-License-Identifier: Apache-2.0
#include "graph500/construction_timing.hpp"

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/threads.hpp"

namespace isobath {
namespace {

void wait(double seconds) {
  const double until = now_seconds() + seconds;
  while (now_seconds() < until) {
  }
}

/// Edges that take a while to get.
class SlowStream final : public EdgeStream {
 public:
  std::int64_t size() const override { return 8; }
  std::int64_t num_vertices() const override { return 16; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    wait(1e-3);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = {GlobalVertex{first + static_cast<std::int64_t>(i)}, GlobalVertex{0}};
    }
  }
};

TEST(RetrievalTimer, PassesEdgesOnAndKeepsTheTimeOfTheSlowestThread) {
  const SlowStream edges;
  RetrievalClock clock(2);
  const RetrievalTimer timer(edges, clock);
  EXPECT_EQ(timer.size(), 8);
  EXPECT_EQ(timer.num_vertices(), 16);
  EXPECT_EQ(clock.seconds(), 0);
  std::vector<Edge> one(1);
#pragma omp parallel num_threads(2)
  {
    std::vector<Edge> own(1);
    if (thread_id() == 1) {
      timer.read(3, own);
      timer.read(4, own);
    }
  }
  timer.read(5, one);
  EXPECT_EQ(one[0], (Edge{GlobalVertex{5}, GlobalVertex{0}}));
  EXPECT_GE(clock.seconds(), 2e-3) << "of the thread that read twice";
}

TEST(ConstructionTimer, AddsUpPhasesThatComeAgain) {
  Heartbeat heartbeat;
  ConstructionTimer timer(heartbeat);
  timer.phase(Phase::count_degrees);
  wait(1e-3);
  timer.phase(Phase::sort_rows);
  timer.phase(Phase::count_degrees);
  wait(1e-3);
  EXPECT_EQ(heartbeat.state().phase, "count_degrees");
  timer.end();
  wait(1e-3);

  const ByPhase<double> phases = timer.phases(Communicator());

  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].first, Phase::count_degrees);
  EXPECT_GE(phases[0].second, 2e-3);
  EXPECT_EQ(phases[1].first, Phase::sort_rows);
}

}  // namespace
}  // namespace isobath
