// SPDX-License-Identifier: Apache-2.0
#include "graph500/statistics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(Statistics, OfFourValuesByHand) {
  const Statistics s = statistics(std::vector<double>{4, 1, 3, 2});
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.first_quartile, 1.5);  // (x[0] + x[1]) / 2
  EXPECT_EQ(s.median, 2.5);          // (x[1] + x[2]) / 2
  EXPECT_EQ(s.third_quartile, 3.5);  // (x[3] + x[2]) / 2
  EXPECT_EQ(s.max, 4);
  EXPECT_EQ(s.mean, 2.5);
  EXPECT_DOUBLE_EQ(s.standard_deviation.value(), std::sqrt(5.0 / 3.0));
}

TEST(Statistics, OfFiveValuesByHand) {
  const Statistics s = statistics(std::vector<double>{10, 50, 20, 40, 30});
  EXPECT_EQ(s.first_quartile, 20);  // x[1] twice
  EXPECT_EQ(s.median, 30);
  EXPECT_EQ(s.third_quartile, 40);  // x[3] twice
  EXPECT_EQ(s.mean, 30);
  EXPECT_DOUBLE_EQ(s.standard_deviation.value(), std::sqrt(250.0));
}

TEST(Statistics, OfSixValuesByHand) {
  const Statistics s = statistics(std::vector<double>{6, 5, 4, 3, 2, 1});
  EXPECT_EQ(s.first_quartile, 2);  // x[5/4 = 1] and x[6/4 = 1]
  EXPECT_EQ(s.median, 3.5);        // x[2] and x[3]
  EXPECT_EQ(s.third_quartile, 5);  // x[4] twice
}

TEST(Statistics, OfSixtyFourValuesTakeTheMiddleOfTwo) {
  std::vector<double> values(64);
  for (std::size_t i = 0; i < 64; ++i) values[i] = static_cast<double>(63 - i);
  const Statistics s = statistics(values);
  EXPECT_EQ(s.first_quartile, 15.5);  // x[15] and x[16]
  EXPECT_EQ(s.median, 31.5);
  EXPECT_EQ(s.third_quartile, 47.5);  // x[48] and x[47]
}

TEST(Statistics, OneValueHasNoDeviation) {
  const Statistics s = statistics(std::vector<double>{7});
  EXPECT_EQ(s.min, 7);
  EXPECT_EQ(s.first_quartile, 7);
  EXPECT_EQ(s.third_quartile, 7);
  EXPECT_EQ(s.max, 7);
  EXPECT_FALSE(s.standard_deviation.has_value());
}

TEST(Statistics, OfNothingAreRefused) { EXPECT_THROW(statistics({}), InternalError); }

TEST(RateStatistics, OfTwoSearchesByHand) {
  // 100 edges in 1 s and in 3 s: seconds per edge 0.01 and 0.03, mean 0.02, deviation sqrt(2) / 100
  const RateStatistics rates = rate_statistics(std::vector<double>{100, 100}, std::vector<double>{1, 3});
  EXPECT_DOUBLE_EQ(rates.harmonic_mean, 50);
  EXPECT_DOUBLE_EQ(rates.harmonic_standard_error.value(), std::sqrt(2.0) / 100 / (0.02 * 0.02 * 1));
  EXPECT_DOUBLE_EQ(rates.min, 100 / 3.0);
  EXPECT_DOUBLE_EQ(rates.max, 100);
  EXPECT_DOUBLE_EQ(rates.median, 50) << "from the middle of seconds per edge, not of rates";
}

TEST(RateStatistics, TheSlowQuartileComesFromTheLargeSeconds) {
  const RateStatistics rates =
      rate_statistics(std::vector<double>{1, 1, 1, 1, 1}, std::vector<double>{5, 1, 2, 4, 3});
  EXPECT_DOUBLE_EQ(rates.first_quartile, 0.25);
  EXPECT_DOUBLE_EQ(rates.third_quartile, 0.5);
  EXPECT_DOUBLE_EQ(rates.min, 0.2);
}

TEST(RateStatistics, MeanIsOverSearchesNotOverEdges) {
  // One search of a tiny component: 1 edge in 1 s, beside 1,000 edges in 1 s.
  const RateStatistics rates = rate_statistics(std::vector<double>{1, 1000}, std::vector<double>{1, 1});
  EXPECT_DOUBLE_EQ(rates.harmonic_mean, 2 / (1 + 0.001));
}

TEST(RateStatistics, OneSearchHasNoError) {
  const RateStatistics rates = rate_statistics(std::vector<double>{10}, std::vector<double>{2});
  EXPECT_DOUBLE_EQ(rates.harmonic_mean, 5);
  EXPECT_FALSE(rates.harmonic_standard_error.has_value());
}

}  // namespace
}  // namespace isobath
