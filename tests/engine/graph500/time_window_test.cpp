// SPDX-License-Identifier: Apache-2.0
// The detector of a tampered clock: searches with a right clock pass it, and each way to cheat is caught.
#include "graph500/time_window.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "fake_plan.hpp"
#include "graph500/timing_observer.hpp"

namespace isobath {
namespace {

using test::FakeBehaviour;
using test::FakePlan;

std::vector<Edge> path_of_four() {
  return {{GlobalVertex{0}, GlobalVertex{1}},
          {GlobalVertex{1}, GlobalVertex{2}},
          {GlobalVertex{2}, GlobalVertex{3}}};
}

void wait_a_moment() {
  const double until = now_seconds() + 1e-4;
  while (now_seconds() < until) {
  }
}

/// An observer that reads the clock where a cheat would, and passes everything on.
class Cheat final : public SearchObserver {
 public:
  explicit Cheat(TimingObserver& observer) : observer_(observer) {}
  void phase(Phase begun) override {
    observer_.phase(begun);
    wait_a_moment();
    if (begun == Phase::emit) emit_begun = now_seconds();
    if (begun == Phase::expand && first_expand == 0) first_expand = now_seconds();
  }
  void level_started(Level level, Direction direction, std::int64_t vertices) override {
    observer_.level_started(level, direction, vertices);
  }
  void level_finished(Level level, std::int64_t arcs) override {
    observer_.level_finished(level, arcs);
    if (level == 0) first_level_ended = now_seconds();
  }
  double first_expand = 0;
  double first_level_ended = 0;
  double emit_begun = 0;

 private:
  TimingObserver& observer_;
};

struct Searched {
  TimeWindow window;
  double first_expand;
  double first_level_ended;
  double emit_begun;
};

/// One search of a path, timed as the protocol does it.
Searched search(TimingObserver& observer) {
  const Communicator alone;
  FakePlan plan(4, path_of_four(), alone);
  Cheat cheat(observer);
  observer.begin_search(0, plan);
  TimeWindow window;
  window.start = now_seconds();
  plan.search(GlobalVertex{0}, cheat);
  observer.end_search();
  window.stop = now_seconds();
  return {window, cheat.first_expand, cheat.first_level_ended, cheat.emit_begun};
}

class TimeWindowTest : public testing::Test {
 protected:
  Heartbeat heartbeat_;
  TimingObserver observer_{heartbeat_};
};

TEST_F(TimeWindowTest, ARightClockPasses) {
  const Searched searched = search(observer_);
  EXPECT_EQ(check_time_window(searched.window, observer_.timeline()), "");
}

TEST_F(TimeWindowTest, StartingAfterTheFirstLevelIsCaught) {
  const Searched searched = search(observer_);
  const TimeWindow tampered{searched.first_level_ended, searched.window.stop};
  EXPECT_NE(check_time_window(tampered, observer_.timeline()).find("the clock started"), std::string::npos);
}

TEST_F(TimeWindowTest, StartingAfterTheResetIsCaught) {
  const Searched searched = search(observer_);
  const TimeWindow tampered{searched.first_expand, searched.window.stop};
  EXPECT_NE(check_time_window(tampered, observer_.timeline()).find("the clock started"), std::string::npos);
}

TEST_F(TimeWindowTest, StoppingBeforeTheParentsAreOutIsCaught) {
  const Searched searched = search(observer_);
  const TimeWindow tampered{searched.window.start, searched.emit_begun};
  EXPECT_NE(check_time_window(tampered, observer_.timeline()).find("the clock stopped"), std::string::npos);
}

TEST_F(TimeWindowTest, AClockOfAnotherSearchIsCaught) {
  const Searched first = search(observer_);
  search(observer_);
  EXPECT_NE(check_time_window(first.window, observer_.timeline()), "");
}

TEST_F(TimeWindowTest, AClockThatNeverRanIsCaught) {
  search(observer_);
  EXPECT_NE(check_time_window(TimeWindow{}, observer_.timeline()), "");
}

TEST_F(TimeWindowTest, ALevelThatIsNotCountedIsCaught) {
  const Searched searched = search(observer_);
  Timeline tampered = observer_.timeline();
  tampered.levels[1].phases = PhaseTotals{};
  EXPECT_NE(check_time_window(searched.window, tampered).find("the phases take"), std::string::npos);
}

TEST_F(TimeWindowTest, ASearchWithoutResetOrEmitIsCaught) {
  const Searched searched = search(observer_);
  Timeline without_reset = observer_.timeline();
  without_reset.first_phase = Phase::expand;
  EXPECT_NE(check_time_window(searched.window, without_reset).find("instead of reset"), std::string::npos);
  Timeline without_emit = observer_.timeline();
  without_emit.last_phase = Phase::reduce;
  EXPECT_NE(check_time_window(searched.window, without_emit).find("instead of emit"), std::string::npos);
}

TEST_F(TimeWindowTest, TimeThatNoPhaseAccountsForIsCaught) {
  const Searched searched = search(observer_);
  const TimeWindow tampered{searched.window.start - 10, searched.window.stop};
  EXPECT_NE(check_time_window(tampered, observer_.timeline()).find("account for only"), std::string::npos);
}

TEST_F(TimeWindowTest, NotANumberIsCaught) {
  const Searched searched = search(observer_);
  const TimeWindow tampered{std::numeric_limits<double>::quiet_NaN(), searched.window.stop};
  EXPECT_NE(check_time_window(tampered, observer_.timeline()), "");
}

}  // namespace
}  // namespace isobath
