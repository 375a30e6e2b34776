// SPDX-License-Identifier: Apache-2.0
#include "timing/median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

using Values = std::vector<std::int64_t>;

TEST(Median, IsTheMiddle) {
  EXPECT_EQ(median_of(Values{7}), 7);
  EXPECT_EQ(median_of(Values{9, 1, 5}), 5);
  EXPECT_EQ(median_of(Values{9, 1, 6, 5}), 5.5);
  EXPECT_THROW(median_of(Values{}), InternalError);
}

TEST(MedianInterval, RanksAreThoseOfTheFormula) {
  for (const std::size_t n : {0U, 1U, 5U, 7U}) EXPECT_FALSE(median_interval_ranks(n)) << n;
  EXPECT_EQ(median_interval_ranks(8), std::pair(std::size_t{0}, std::size_t{7}));
  // worked by hand: 1.96 sqrt(100) = 19.6; floor(80.4 / 2) = 40 and ceil(1 + 119.6 / 2) = 61, counted from 1
  EXPECT_EQ(median_interval_ranks(100), std::pair(std::size_t{39}, std::size_t{60}));
}

/// Values with a long tail, as times have; logarithms of uniform ones, by a generator of our own.
Values exponential(std::mt19937_64& random, std::size_t n) {
  Values values;
  for (std::size_t i = 0; i < n; ++i) {
    const double uniform = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
    values.push_back(static_cast<std::int64_t>(-1e6 * std::log(uniform)));
  }
  return values;
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  constexpr double median = 1e6 * 0.69314718056;
  std::mt19937_64 random(1);  // the engine's values are fixed by the standard
  for (const std::size_t n : {20U, 50U, 200U}) {
    int covered = 0;
    for (int set = 0; set < 1000; ++set) {
      Values values = exponential(random, n);
      std::sort(values.begin(), values.end());
      const auto ranks = median_interval_ranks(n);
      ASSERT_TRUE(ranks);
      const auto lower = static_cast<double>(values[ranks->first]);
      const auto upper = static_cast<double>(values[ranks->second]);
      if (lower <= median && median <= upper) ++covered;
    }
    EXPECT_GE(covered, 935) << n;  // 950 expected at the least, 7 the standard deviation
    EXPECT_LE(covered, 990) << n;  // an interval of everything would be no interval
  }
}

TEST(RelativeHalfWidth, IsAPartOfTheMedian) {
  Values values;
  for (int i = 1; i <= 100; ++i) values.push_back(1000 + i);
  // values 40 and 61 of 100; the median is 1050.5
  EXPECT_DOUBLE_EQ(relative_half_width(values).value(), (1061.0 - 1040.0) / 2 / 1050.5);
  EXPECT_FALSE(relative_half_width(Values{5, 5, 5}));
  EXPECT_FALSE(relative_half_width(Values(20, 0)));
  EXPECT_EQ(relative_half_width(Values(20, 7)).value(), 0);
}

TEST(EffectiveCount, KnowsIndependentValuesFromThoseThatFollowEachOther) {
  std::mt19937_64 random(2);
  EXPECT_GT(effective_count(exponential(random, 1000)), 850);

  Values drifting;
  double value = 0;
  for (const std::int64_t push : exponential(random, 1000)) {
    value = 0.9 * value + 0.1 * static_cast<double>(push);
    drifting.push_back(static_cast<std::int64_t>(value));
  }
  const double expected = 1000 * (1 - 0.9) / (1 + 0.9);
  EXPECT_GT(effective_count(drifting), expected / 2);
  EXPECT_LT(effective_count(drifting), expected * 2);

  Values swinging;
  for (int i = 0; i < 50; ++i) swinging.push_back(i % 2);
  EXPECT_EQ(effective_count(swinging), 50);  // never more than there are
  EXPECT_EQ(effective_count(Values(10, 3)), 10);
  EXPECT_EQ(effective_count(Values{1, 2}), 2);
}

}  // namespace
}  // namespace isobath
