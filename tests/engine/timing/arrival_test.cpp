// SPDX-License-Identifier: Apache-2.0
#include "timing/arrival.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

using Delays = std::vector<std::int64_t>;

TEST(Arrival, PatternsSayWhenRanksCome) {
  EXPECT_EQ(arrival_delays("zero", 3), (Delays{0, 0, 0}));
  EXPECT_EQ(arrival_delays("linear:10", 5), (Delays{0, 2500, 5000, 7500, 10000}));
  EXPECT_EQ(arrival_delays("linear:10", 1), (Delays{0}));
  EXPECT_EQ(arrival_delays("one-late:0.5", 3), (Delays{0, 0, 500}));
  EXPECT_EQ(arrival_delays("given:1,0,2.5", 3), (Delays{1000, 0, 2500}));
}

TEST(Arrival, RefusesWhatIsNoPattern) {
  for (const char* const wrong :
       {"", "late", "zero:1", "linear", "linear:", "linear:x", "linear:-1", "linear:1,2", "one-late",
        "given:1,2", "given:1,2,3,4", "given", "linear:inf", "early:1"}) {
    EXPECT_THROW(arrival_delays(wrong, 3), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace isobath
