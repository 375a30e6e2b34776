// SPDX-License-Identifier: Apache-2.0
#include "delay/lateness.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(Lateness, OfNothingItIsNothing) {
  const Lateness lateness;

  EXPECT_EQ(lateness.count(), 0);
  EXPECT_EQ(lateness.microseconds_of(0.5), 0);
  EXPECT_EQ(lateness.most_microseconds(), 0);
}

TEST(Lateness, SharesAreThoseOfAllThatWereCounted) {
  Lateness lateness;
  for (std::int64_t microseconds = 100; microseconds > 0; --microseconds) lateness.add(1000 * microseconds);

  EXPECT_EQ(lateness.count(), 100);
  EXPECT_EQ(lateness.microseconds_of(0.5), 50);
  EXPECT_EQ(lateness.microseconds_of(0.99), 99);
  EXPECT_EQ(lateness.microseconds_of(1), 100);
}

TEST(Lateness, PartsOfAMicrosecondAreAWholeOneAndEarlyIsNotLate) {
  Lateness lateness;
  lateness.add(-5000);
  EXPECT_EQ(lateness.most_microseconds(), 0);

  lateness.add(1);
  EXPECT_EQ(lateness.most_microseconds(), 1);
}

TEST(Lateness, BeyondATenthOfASecondOnlyTheMostIsKnown) {
  Lateness lateness;
  lateness.add(99'999'000);
  EXPECT_EQ(lateness.microseconds_of(1), 99'999);

  lateness.add(500'000'000);
  lateness.add(2'000'000'000);
  lateness.add(0);

  EXPECT_EQ(lateness.microseconds_of(0.25), 0);
  EXPECT_EQ(lateness.microseconds_of(0.5), 99'999);
  EXPECT_EQ(lateness.microseconds_of(0.75), 2'000'000);
  EXPECT_EQ(lateness.most_microseconds(), 2'000'000);
}

}  // namespace
}  // namespace isobath
