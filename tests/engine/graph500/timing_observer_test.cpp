// SPDX-License-Identifier: Apache-2.0
#include "graph500/timing_observer.hpp"

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "fake_plan.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

// Counts what this test program allocates.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace isobath {
namespace {

constexpr std::size_t at(Phase phase) { return static_cast<std::size_t>(phase); }

std::vector<Edge> path_of_three() {
  return {{GlobalVertex{0}, GlobalVertex{1}}, {GlobalVertex{1}, GlobalVertex{2}}};
}

class TimingObserverTest : public testing::Test {
 protected:
  Communicator alone_;
  test::FakePlan plan_{3, path_of_three(), alone_};
  Heartbeat heartbeat_;
  TimingObserver observer_{heartbeat_};
};

TEST_F(TimingObserverTest, KeepsLevelsApart) {
  observer_.begin_search(0, plan_);
  plan_.search(GlobalVertex{0}, observer_);
  observer_.end_search();

  const Timeline& timeline = observer_.timeline();
  ASSERT_EQ(timeline.num_levels, 3U);
  EXPECT_EQ(timeline.levels[0].direction, Direction::top_down);
  EXPECT_EQ(timeline.levels[1].direction, Direction::bottom_up);
  for (std::size_t i = 0; i < 3; ++i) {
    const LevelTimeline& level = timeline.levels[i];
    EXPECT_EQ(level.level, static_cast<Level>(i));
    EXPECT_EQ(level.frontier_vertices, 1);
    EXPECT_EQ(level.arcs_scanned, 10 * (level.level + 1));
    EXPECT_TRUE(level.phases.entered[at(Phase::expand)]);
    EXPECT_TRUE(level.phases.entered[at(Phase::reduce)]) << "what follows a level belongs to it";
    EXPECT_FALSE(level.phases.entered[at(Phase::emit)]);
    EXPECT_EQ(level.phases.bytes_sent[at(Phase::expand)], 8);
    EXPECT_EQ(level.phases.messages[at(Phase::expand)], 1);
    EXPECT_EQ(level.phases.bytes_sent[at(Phase::top_down)], 0);
  }
  EXPECT_TRUE(timeline.outside.entered[at(Phase::reset)]);
  EXPECT_TRUE(timeline.outside.entered[at(Phase::emit)]);
  EXPECT_FALSE(timeline.outside.entered[at(Phase::expand)]);
  EXPECT_EQ(timeline.first_phase, Phase::reset);
  EXPECT_EQ(timeline.last_phase, Phase::emit);
}

TEST_F(TimingObserverTest, StartsAfreshForEverySearch) {
  observer_.begin_search(0, plan_);
  plan_.search(GlobalVertex{0}, observer_);
  observer_.end_search();
  observer_.begin_search(1, plan_);
  plan_.search(GlobalVertex{1}, observer_);
  observer_.end_search();

  EXPECT_EQ(observer_.timeline().num_levels, 2U);
  EXPECT_EQ(observer_.timeline().levels[0].phases.bytes_sent[at(Phase::expand)], 8);
  EXPECT_EQ(observer_.timeline().levels[0].arcs_scanned, 10);
}

TEST_F(TimingObserverTest, AddsUpTimeByPhase) {
  const auto wait = [] {
    const double until = now_seconds() + 1e-3;
    while (now_seconds() < until) {
    }
  };
  observer_.begin_search(0, plan_);
  observer_.phase(Phase::reset);
  wait();
  observer_.level_started(0, Direction::top_down, 1);
  observer_.phase(Phase::top_down);
  wait();
  observer_.phase(Phase::fold);
  observer_.phase(Phase::top_down);
  wait();
  observer_.level_finished(0, 1);
  observer_.phase(Phase::emit);
  observer_.end_search();

  const Timeline& timeline = observer_.timeline();
  EXPECT_GE(timeline.outside.seconds[at(Phase::reset)], 1e-3);
  EXPECT_GE(timeline.levels[0].phases.seconds[at(Phase::top_down)], 2e-3) << "a phase may come twice";
  EXPECT_GE(timeline.end - timeline.begin, 3e-3);
}

TEST_F(TimingObserverTest, AllocatesNothingWhileTheClockRuns) {
  observer_.begin_search(0, plan_);
  const std::size_t before = allocations;
  observer_.phase(Phase::reset);
  for (Level level = 0; level < 20; ++level) {
    observer_.level_started(level, Direction::top_down, 1);
    observer_.phase(Phase::expand);
    observer_.phase(Phase::top_down);
    observer_.level_finished(level, 1);
  }
  observer_.phase(Phase::emit);
  observer_.end_search();
  EXPECT_EQ(allocations, before);
}

/// The ledger's entry is the search, and its levels are places in the timeline.
TEST_F(TimingObserverTest, TellsTheLedgerWhereCallsBelong) {
  Ledger ledger({.rank = 0, .node_of_rank = {0, 0}, .buckets = {}, .clock = {}});
  const int pair = ledger.communicator(std::vector<int>{0, 1});
  const auto call = [&] {
    ledger.entered(CallKind::allreduce, pair);
    ledger.sent(1, 8);
    ledger.left();
  };
  TimingObserver observer(heartbeat_, &ledger);
  const auto search = [&] {
    observer.begin_search(0, plan_);
    call();  // before the first phase: not of the search
    observer.phase(Phase::reset);
    call();
    for (Level level = 1; level < 3; ++level) {
      observer.level_started(level, Direction::top_down, 1);
      observer.phase(Phase::expand);
      call();
      observer.phase(Phase::reduce);
      observer.level_finished(level, 1);
      call();
    }
    observer.phase(Phase::emit);
    observer.end_search();
    call();
  };
  search();
  const std::size_t before = allocations;
  search();
  EXPECT_EQ(allocations, before) << "nothing is allocated where a search came before";

  const std::span<const LedgerCell> cells = ledger.cells();
  ASSERT_EQ(cells.size(), 5U);
  const std::pair<int, Phase> expected[] = {
      {-1, Phase::reset}, {0, Phase::expand}, {0, Phase::reduce}, {1, Phase::expand}, {1, Phase::reduce}};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(cells[i].level, expected[i].first);
    EXPECT_EQ(cells[i].phase, expected[i].second);
    EXPECT_EQ(cells[i].totals.calls, 1);
  }
}

TEST_F(TimingObserverTest, MoreLevelsThanItKeepsAreCountedInTheLast) {
  constexpr Level many = static_cast<Level>(max_timed_levels) + 100;
  observer_.begin_search(0, plan_);
  observer_.phase(Phase::reset);
  for (Level level = 0; level < many; ++level) {
    observer_.level_started(level, Direction::top_down, 1);
    observer_.phase(Phase::top_down);
    observer_.level_finished(level, 1);
  }
  observer_.phase(Phase::emit);
  observer_.end_search();
  ASSERT_EQ(observer_.timeline().num_levels, max_timed_levels);
  EXPECT_EQ(observer_.timeline().levels.back().arcs_scanned, 101);
}

TEST_F(TimingObserverTest, ShowsSearchLevelAndPhaseOnTheHeartbeatPage) {
  observer_.begin_search(7, plan_);
  EXPECT_EQ(heartbeat_.state().search, 7);
  observer_.phase(Phase::reset);
  observer_.level_started(2, Direction::top_down, 1);
  const auto before = heartbeat_.state().progress;
  observer_.phase(Phase::fold);
  EXPECT_EQ(heartbeat_.state().level, 2);
  EXPECT_EQ(heartbeat_.state().phase, "fold");
  EXPECT_EQ(heartbeat_.state().progress, before + 1);
  observer_.end_search();
}

}  // namespace
}  // namespace isobath
