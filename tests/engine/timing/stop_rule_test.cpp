// SPDX-License-Identifier: Apache-2.0
#include "timing/stop_rule.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "timing/joint_times.hpp"

namespace isobath {
namespace {

using Times = std::vector<std::int64_t>;

/// So many times around 1000, spread evenly over +- `spread`.
Times around_1000(int count, int spread) {
  Times times;
  for (int i = 0; i < count; ++i) times.push_back(1000 - spread + 2 * spread * i / std::max(1, count - 1));
  return times;
}

TEST(StopRule, StopsWhenTheIntervalIsNarrow) {
  const StopRule rule;
  EXPECT_EQ(reason_to_stop(rule, around_1000(20, 10), {.made = 20}), StopReason::interval);
  EXPECT_EQ(reason_to_stop(rule, around_1000(19, 10), {.made = 19}), std::nullopt);   // fewer than the least
  EXPECT_EQ(reason_to_stop(rule, around_1000(20, 500), {.made = 20}), std::nullopt);  // too wide
  const StopRule loose{.half_width = 0.5};
  EXPECT_EQ(reason_to_stop(loose, around_1000(20, 500), {.made = 20}), StopReason::interval);
}

TEST(StopRule, StopsAtTheMostAndBeforeTheBudgetIsSpent) {
  const StopRule rule{.half_width = 0.02, .least = 20, .most = 100, .budget_seconds = 2};
  const Times wide = around_1000(5, 500);
  EXPECT_EQ(reason_to_stop(rule, around_1000(100, 500), {.made = 100}), StopReason::most);
  EXPECT_EQ(reason_to_stop(rule, {}, {.made = 100}), StopReason::most);  // all invalid: it must end
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 90, .step = 10}), std::nullopt);
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 91, .step = 10}), StopReason::most);  // no whole batch
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 5, .elapsed = 2'000'000'000}), StopReason::budget);
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 5, .elapsed = 1'999'999'999}), std::nullopt);
  EXPECT_EQ(reason_to_stop(rule, {}, {.made = 0, .elapsed = 3'000'000'000}), std::nullopt);  // one is made
  // The next would end too late.
  const std::int64_t second = 1'000'000'000;
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 5, .elapsed = second, .typical = second}),
            StopReason::budget);
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 5, .elapsed = second, .typical = second - 1}), std::nullopt);
  EXPECT_EQ(reason_to_stop(rule, wide, {.made = 5, .elapsed = second, .step = 2, .typical = second / 2}),
            StopReason::budget);
}

TEST(WarmUp, EndsWhenTensAgree) {
  const StopRule rule;
  Times times(10, 2000);
  EXPECT_FALSE(is_warm(rule, times, 0));  // nothing to compare with
  times.insert(times.end(), 10, 1000);
  EXPECT_FALSE(is_warm(rule, times, 0));  // still getting faster
  times.insert(times.end(), 10, 960);
  EXPECT_TRUE(is_warm(rule, times, 0));
  Times falling;
  for (int i = 0; i < 99; ++i) falling.push_back(std::int64_t{1} << (60 - i / 2));
  EXPECT_FALSE(is_warm(rule, falling, 0));
  falling.push_back(1);
  EXPECT_TRUE(is_warm(rule, falling, 0));             // at a hundred it is over
  EXPECT_FALSE(is_warm({.most = 2000}, falling, 0));  // a tenth of what may be made, where that is more
}

TEST(WarmUp, IsAtLeastTenCallsUnlessHalfOfTheBudgetIsUsed) {
  const StopRule rule{.budget_seconds = 4};
  EXPECT_FALSE(is_warm(rule, Times(9, 5), 1'999'999'999));
  EXPECT_TRUE(is_warm(rule, Times(9, 5), 2'000'000'000));
  EXPECT_FALSE(is_warm(rule, Times{}, 2'000'000'000));
  EXPECT_FALSE(is_warm(rule, Times(10, 5), 999'999'999));
  EXPECT_TRUE(is_warm(rule, Times(10, 5), 1'000'000'000));
}

TEST(Batches, FitTheBudgetAndTheCadence) {
  const StopRule rule{.budget_seconds = 1};
  const std::int64_t second = 1'000'000'000;
  EXPECT_EQ(isolated_batch(rule, {.typical = 1000}), 10);
  EXPECT_EQ(isolated_batch(rule, {.made = 997, .typical = 1000}), 3);
  EXPECT_EQ(isolated_batch(rule, {.typical = second / 5}), 5);
  EXPECT_EQ(isolated_batch(rule, {.elapsed = 9 * second / 10, .typical = second / 5}), 1);
  EXPECT_EQ(isolated_batch(rule, {.made = 1000, .elapsed = 5 * second, .typical = 1000}), 1);

  EXPECT_EQ(warm_up_batch(rule, Cadence::isolated, {}), 1);  // first find out how long one takes
  EXPECT_EQ(warm_up_batch(rule, Cadence::isolated, {.made = 1, .typical = 1000}), 9);
  EXPECT_EQ(warm_up_batch(rule, Cadence::isolated, {.made = 10, .typical = 1000}), 10);
  EXPECT_EQ(warm_up_batch(rule, Cadence::streaming, {.made = 10, .typical = 1000}), 20);
  EXPECT_EQ(warm_up_batch(rule, Cadence::streaming, {.made = 95, .typical = 1000}), 5);
  EXPECT_EQ(warm_up_batch(rule, Cadence::isolated, {.made = 1, .typical = second / 10}), 5);   // of a half
  EXPECT_EQ(warm_up_batch(rule, Cadence::isolated, {.made = 10, .typical = second / 10}), 2);  // a quarter

  EXPECT_EQ(stream_length(rule, {.typical = 1000}), 20);
  EXPECT_EQ(stream_length({.least = 20, .most = 100}, {.typical = 1000}), 5);  // so that there are 20
  EXPECT_EQ(stream_length({.least = 5, .most = 3}, {.typical = 1000}), 1);
  EXPECT_EQ(stream_length(rule, {.elapsed = second / 2, .typical = second / 200}), 5);
  EXPECT_EQ(stream_length(rule, {.elapsed = second, .typical = second}), 1);
}

TEST(JointTimes, OfAStreamAddUpToItsLength) {
  const Times entries{100, 140, 190};
  const Times exits{150, 200, 260};
  EXPECT_EQ(joint_times(Cadence::isolated, entries, exits), (Times{50, 60, 70}));
  EXPECT_EQ(joint_times(Cadence::streaming, entries, exits), (Times{50, 50, 60}));  // 260 - 100 in all
}

TEST(BatchTimes, AreFromTheFirstBeginToTheLastExit) {
  const Times begins{0, 100, 110, 120, 300};
  const Times exits{50, 150, 200, 250, 341};
  const std::vector<int> starts{0, 1, 4};
  const std::vector<BatchTime> batches = batch_times(starts, begins, exits);
  EXPECT_EQ(batches, (std::vector<BatchTime>{{0, 1, 50}, {1, 3, 150}, {4, 1, 41}}));
  EXPECT_EQ(batches[1].per_call(), 50);  // exit - begin of each call would say 50, 90, 130
  EXPECT_EQ((BatchTime{.calls = 4, .nanoseconds = 10}).per_call(), 3);
  EXPECT_TRUE(batch_times({}, {}, {}).empty());
}

TEST(Names, AreRead) {
  EXPECT_EQ(parse_cadence("streaming"), Cadence::streaming);
  EXPECT_EQ(parse_cadence(name_of(Cadence::isolated)), Cadence::isolated);
  EXPECT_THROW(parse_cadence("fast"), UsageError);
  EXPECT_EQ(name_of(StopReason::budget), "budget");
  EXPECT_EQ(parse_timed_from("last_entry"), TimedFrom::last_entry);
  EXPECT_EQ(parse_timed_from(name_of(TimedFrom::first_entry)), TimedFrom::first_entry);
  EXPECT_THROW(parse_timed_from("start"), UsageError);
}

}  // namespace
}  // namespace isobath
