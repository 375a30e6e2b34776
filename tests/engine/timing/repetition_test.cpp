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
    EXPECT_EQ(std::ssize(done.valid_times()), 60);  // a barrier makes nobody late
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
