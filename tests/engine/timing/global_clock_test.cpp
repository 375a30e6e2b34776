// SPDX-License-Identifier: Apache-2.0
#include "timing/global_clock.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

std::vector<int> one_node() { return std::vector<int>(static_cast<std::size_t>(world().size()), 0); }

TEST(GlobalClock, OfOneNodeIsItsClock) {
  const GlobalClock clock = measure_global_clock(world(), one_node());
  EXPECT_EQ(clock.shift_nanoseconds(), 0);
  EXPECT_EQ(clock.error_nanoseconds(), 0);
  const std::int64_t before = now_nanoseconds();
  const std::int64_t now = clock.now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, now_nanoseconds());
}

/// Ranks whose clocks are hours apart: after measuring, what all read at the same moment is close.
TEST(GlobalClock, BringsClocksTogetherThatDisagree) {
  std::string skew = "0";
  for (int rank = 1; rank < world().size(); ++rank)
    skew += "," + std::to_string(3600 * rank * (rank % 2 == 0 ? 1 : -1));
  setenv("ISOBATH_CLOCK_SKEW", skew.c_str(), 1);
  const GlobalClock clock = measure_global_clock(world(), one_node());
  unsetenv("ISOBATH_CLOCK_SKEW");

  // All clocks of this machine are one in truth, so the shift must be nothing but the error.
  EXPECT_LE(std::abs(clock.shift_nanoseconds()), clock.error_nanoseconds() + 2);  // rounding of two numbers
  EXPECT_LT(clock.error_nanoseconds(), 50'000'000);
  EXPECT_EQ(clock.error_nanoseconds() > 0, world().size() > 1);
}

}  // namespace
}  // namespace isobath::test
