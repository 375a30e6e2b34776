// SPDX-License-Identifier: Apache-2.0
#include "timing/repetition.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

void spin(std::int64_t nanoseconds) {
  for (const std::int64_t start = now_nanoseconds(); now_nanoseconds() - start < nanoseconds;) {
  }
}

/// Everything the ranks must agree on, as one list of numbers.
std::vector<std::int64_t> agreed(const Repetitions& done) {
  std::vector<std::int64_t> numbers = done.nanoseconds;
  for (const Repetition& one : done.mine)
    numbers.push_back(one.is_valid + 2 * one.is_warm_up + 4 * one.was_switched_out);
  numbers.push_back(static_cast<std::int64_t>(done.why));
  return numbers;
}

void expect_same_everywhere(const Repetitions& done) {
  const std::vector<std::int64_t> own = agreed(done);
  std::vector<std::int64_t> smallest = own;
  std::vector<std::int64_t> largest = own;
  ASSERT_EQ(world().min(std::ssize(own)), world().max(std::ssize(own)));
  world().min(smallest);
  world().max(largest);
  EXPECT_EQ(smallest, largest);
}

TEST(Repetitions, AllRanksMakeTheSameNumberAndAgreeOnTheTimes) {
  for (const Cadence cadence : {Cadence::isolated, Cadence::streaming}) {
    StartAlignment alignment(world(), GlobalClock());
    int calls = 0;
    const StopRule rule{.half_width = -1, .least = 20, .most = 60, .budget_seconds = 600};
    const Repetitions done = repeat(world(), alignment, rule, cadence, [&] {
      ++calls;
      spin(10'000 * (1 + world().rank()));  // the last rank is the slowest
    });
    EXPECT_EQ(calls, std::ssize(done.mine));
    EXPECT_EQ(done.why, StopReason::most);
    const auto warm_ups = std::count_if(done.mine.begin(), done.mine.end(),
                                        [](const Repetition& one) { return one.is_warm_up; });
    EXPECT_GE(warm_ups, 20);
    EXPECT_EQ(std::ssize(done.mine) - warm_ups, 60);
    // A barrier makes nobody late. A stream of 60 calls is cut so that there are 20 samples.
    EXPECT_EQ(std::ssize(done.valid_times()), cadence == Cadence::isolated ? 60 : 20);
    for (std::size_t i = 0; i < done.mine.size(); ++i) {
      EXPECT_EQ(done.mine[i].is_warm_up, static_cast<std::ptrdiff_t>(i) < warm_ups);
      EXPECT_GE(done.mine[i].exit_nanoseconds - done.mine[i].entry_nanoseconds, 10'000);
      if (cadence == Cadence::isolated) {
        EXPECT_GE(done.nanoseconds[i], 10'000 * world().size());
      }
    }
    expect_same_everywhere(done);
  }
}

TEST(Repetitions, StopWhenTheIntervalIsNarrowAndWhenTheBudgetIsSpent) {
  StartAlignment alignment(world(), GlobalClock());
  const Repetitions narrow =
      repeat(world(), alignment, {.half_width = 1e6}, Cadence::isolated, [] { spin(1000); });
  EXPECT_EQ(narrow.why, StopReason::interval);
  EXPECT_GE(std::ssize(narrow.valid_times()), 20);

  const StopRule short_one{.half_width = -1, .least = 20, .most = 100'000, .budget_seconds = 0.05};
  const Repetitions spent =
      repeat(world(), alignment, short_one, Cadence::isolated, [] { spin(10'000'000); });
  EXPECT_EQ(spent.why, StopReason::budget);
  EXPECT_GE(std::ssize(spent.valid_times()), 1);
  EXPECT_LT(std::ssize(spent.mine), 20);
  expect_same_everywhere(spent);
}

/// A machine whose clock is told: what a call needs, and what is done around each start and after each batch.
struct FakeMachine {
  std::int64_t call = 1'000'000;
  std::int64_t around = 0;
  std::int64_t now = 1'000;

  Repetitions measure(const StopRule& rule, Cadence cadence) {
    StartAlignment alignment(world(), GlobalClock());
    RepetitionCourse course(world(), alignment, rule, cadence, now);
    for (int batch = course.next_batch(); batch > 0; batch = course.next_batch()) {
      for (int i = 0; i < batch; ++i) {
        const bool begins = cadence == Cadence::isolated || i == 0;
        if (begins) now += around;
        course.add({.entry_nanoseconds = now, .exit_nanoseconds = now + call, .begins_batch = begins});
        now += call;
      }
      course.conclude_batch(now);
    }
    return course.finish();
  }
};

std::ptrdiff_t warm_ups(const Repetitions& done) {
  return std::count_if(done.mine.begin(), done.mine.end(),
                       [](const Repetition& one) { return one.is_warm_up; });
}

TEST(Budget, BoundsACellWhateverIsDoneAroundItsCalls) {
  const StopRule rule{.half_width = -1, .least = 20, .most = 100'000, .budget_seconds = 1};
  for (const Cadence cadence : {Cadence::isolated, Cadence::streaming}) {
    for (const std::int64_t call : {4'000'000, 30'000'000, 110'000'000, 300'000'000, 900'000'000}) {
      for (const std::int64_t around : {0, 9'000'000, 70'000'000}) {
        FakeMachine machine{.call = call, .around = around};
        const Repetitions done = machine.measure(rule, cadence);
        EXPECT_EQ(done.why, StopReason::budget);
        EXPECT_LE(machine.now - 1'000, 1'000'000'000) << call << " " << around;
        EXPECT_GE(std::ssize(done.valid_times()), 1) << call << " " << around;
        EXPECT_EQ(done.valid_times().front(), call);
        if (call <= 4'000'000) {
          EXPECT_GE(machine.now, 850'000'000) << "it is used " << call << " " << around;
        }
      }
    }
  }
}

TEST(Budget, ThatIsTooSmallForTwoCallsGivesOneThatCounts) {
  FakeMachine machine{.call = 5'000'000'000};
  const Repetitions done = machine.measure({.budget_seconds = 1}, Cadence::isolated);
  EXPECT_EQ(std::ssize(done.mine), 1);
  EXPECT_EQ(done.valid_times(), (std::vector<std::int64_t>{5'000'000'000}));
  EXPECT_EQ(done.why, StopReason::budget);
}

TEST(Budget, LeavesTenCallsToTheWarmUpWhereHalfOfItIsEnough) {
  FakeMachine machine{.call = 40'000'000};
  const StopRule rule{.half_width = -1, .budget_seconds = 1};
  EXPECT_EQ(warm_ups(machine.measure(rule, Cadence::isolated)), 10);  // a quarter would be over after 6
}

TEST(Streams, HaveBatchesOfOneLengthAfterTheWarmUp) {
  FakeMachine machine{.call = 1'000, .around = 50'000};
  const StopRule rule{.half_width = -1, .least = 20, .most = 1000, .budget_seconds = 10};
  const Repetitions done = machine.measure(rule, Cadence::streaming);
  const std::ptrdiff_t warm = warm_ups(done);
  EXPECT_EQ(std::ssize(done.mine) - warm, 1000);
  EXPECT_EQ(done.valid_times(), std::vector<std::int64_t>(50, 1'000));
  int last = -20;
  for (const int start : done.batch_starts()) {
    if (start < warm) continue;
    EXPECT_EQ(start, last < 0 ? warm : last + 20);
    last = start;
  }
  EXPECT_EQ(last + 20, std::ssize(done.mine));
}

/// Rank 0 hands over and runs ahead; the last rank needs a microsecond for each call. Whoever takes the
/// times of single calls counts what the last rank is behind, more with every call.
TEST(Streams, AreTimedAsAWholeWhereRanksRunAhead) {
  if (world().size() == 1) return;
  StartAlignment alignment(world(), GlobalClock());
  const StopRule rule{.half_width = -1, .least = 2, .most = 40, .budget_seconds = 1000};
  RepetitionCourse course(world(), alignment, rule, Cadence::streaming, 0);
  const std::int64_t own = world().rank() == 0 ? 10 : 1'000;
  std::int64_t now = 0;
  for (int batch = course.next_batch(); batch > 0; batch = course.next_batch()) {
    const std::int64_t start = now;
    for (int i = 0; i < batch; ++i) {
      course.add({.entry_nanoseconds = start + i * own,
                  .exit_nanoseconds = start + (i + 1) * own,
                  .begins_batch = i == 0});
    }
    now += 1'000 * batch;
    course.conclude_batch(now);
  }
  EXPECT_EQ(course.finish().valid_times(), (std::vector<std::int64_t>{1'000, 1'000}));
}

TEST(Arrival, DelaysAreNoPartOfTheTime) {
  std::vector<std::int64_t> delays(static_cast<std::size_t>(world().size()), 0);
  delays.back() = 3'000'000;
  StartAlignment alignment(world(), GlobalClock(),
                           {.alignment = Alignment::round_time, .delays = delays, .lead_nanoseconds = {}});
  EXPECT_EQ(alignment.timed_from(), TimedFrom::last_entry);
  RepetitionCourse course(world(), alignment, {.half_width = -1, .budget_seconds = 1e-9}, Cadence::isolated,
                          0);
  const std::int64_t entry = world().rank() == world().size() - 1 ? 3'000'000 : 100 * world().rank();
  course.add({.entry_nanoseconds = entry, .exit_nanoseconds = 3'000'500});
  course.conclude_batch(3'000'500);
  EXPECT_EQ(course.finish().valid_times(), (std::vector<std::int64_t>{500}));
}

TEST(Repetitions, LateStartsAreInvalidOnAllRanks) {
  StartAlignment impossible(world(), GlobalClock(),
                            {.alignment = Alignment::round_time, .delays = {}, .lead_nanoseconds = -1});
  const StopRule rule{.half_width = 0.02, .least = 20, .most = 30, .budget_seconds = 600};
  const Repetitions done = repeat(world(), impossible, rule, Cadence::isolated, [] {});
  EXPECT_EQ(done.why, StopReason::most);
  EXPECT_TRUE(done.valid_times().empty());
  expect_same_everywhere(done);
}

TEST(Repetitions, WhatIsDoneAroundThemIsNotTimed) {
  StartAlignment alignment(world(), GlobalClock());
  std::vector<int> before;
  std::vector<int> after;
  int calls = 0;
  const Around around{.before =
                          [&](int number) {
                            before.push_back(number);
                            EXPECT_EQ(number, calls);
                            spin(2'000'000);
                          },
                      .after =
                          [&](int number) {
                            after.push_back(number);
                            spin(2'000'000);
                          }};
  const StopRule rule{.half_width = -1, .least = 1, .most = 10, .budget_seconds = 600};
  const Repetitions done = repeat(world(), alignment, rule, Cadence::isolated, [&] { ++calls; }, around);
  EXPECT_EQ(std::ssize(before), std::ssize(done.mine));
  EXPECT_EQ(before, after);
  std::vector<std::int64_t> times;
  for (const Repetition& one : done.mine) times.push_back(one.exit_nanoseconds - one.entry_nanoseconds);
  EXPECT_LT(*std::min_element(times.begin(), times.end()), 1'000'000);

  before.clear();
  after.clear();
  calls = 0;
  repeat(world(), alignment, rule, Cadence::streaming, [&] { ++calls; }, around);
  EXPECT_EQ(before, after);
  EXPECT_LT(std::ssize(before), calls);  // once a batch
}

}  // namespace
}  // namespace isobath::test
