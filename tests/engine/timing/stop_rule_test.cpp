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
  EXPECT_EQ(reason_to_stop(rule, around_1000(20, 10), 20, 0), StopReason::interval);
  EXPECT_EQ(reason_to_stop(rule, around_1000(19, 10), 19, 0), std::nullopt);   // fewer than the least
  EXPECT_EQ(reason_to_stop(rule, around_1000(20, 500), 20, 0), std::nullopt);  // too wide
  const StopRule loose{.half_width = 0.5};
  EXPECT_EQ(reason_to_stop(loose, around_1000(20, 500), 20, 0), StopReason::interval);
}

TEST(StopRule, StopsAtTheMostAndWhenTheBudgetIsSpent) {
  const StopRule rule{.half_width = 0.02, .least = 20, .most = 100, .budget_seconds = 2};
  EXPECT_EQ(reason_to_stop(rule, around_1000(100, 500), 100, 0), StopReason::most);
  EXPECT_EQ(reason_to_stop(rule, {}, 100, 0), StopReason::most);  // all invalid: it must end nevertheless
  EXPECT_EQ(reason_to_stop(rule, around_1000(5, 500), 5, 2'000'000'000), StopReason::budget);
  EXPECT_EQ(reason_to_stop(rule, around_1000(5, 500), 5, 1'999'999'999), std::nullopt);
  EXPECT_EQ(reason_to_stop(rule, {}, 0, 3'000'000'000), std::nullopt);  // one is made in any case
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
  EXPECT_TRUE(is_warm({.budget_seconds = 4}, Times{1}, 1'000'000'000));  // a quarter of the budget
  EXPECT_FALSE(is_warm({.budget_seconds = 4}, Times{}, 1'000'000'000));
}

TEST(Batches, FitTheBudgetAndTheCadence) {
  const StopRule rule{.budget_seconds = 1};
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 1000, 0, 0), 1);  // first find out how long one takes
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 1000, 1000, 0), 10);
  EXPECT_EQ(batch_size(rule, Cadence::streaming, 1000, 1000, 0), 50);
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 3, 1000, 0), 3);
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 1000, 200'000'000, 0), 5);
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 1000, 200'000'000, 900'000'000), 1);
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 1000, 1000, 5'000'000'000), 1);
  EXPECT_EQ(batch_size(rule, Cadence::isolated, 0, 1000, 0), 1);
}

TEST(JointTimes, OfAStreamAddUpToItsLength) {
  const Times entries{100, 140, 190};
  const Times exits{150, 200, 260};
  EXPECT_EQ(joint_times(Cadence::isolated, entries, exits), (Times{50, 60, 70}));
  EXPECT_EQ(joint_times(Cadence::streaming, entries, exits), (Times{50, 50, 60}));  // 260 - 100 in all
}

TEST(Names, AreRead) {
  EXPECT_EQ(parse_cadence("streaming"), Cadence::streaming);
  EXPECT_EQ(parse_cadence(name_of(Cadence::isolated)), Cadence::isolated);
  EXPECT_THROW(parse_cadence("fast"), UsageError);
  EXPECT_EQ(name_of(StopReason::budget), "budget");
}

}  // namespace
}  // namespace isobath
