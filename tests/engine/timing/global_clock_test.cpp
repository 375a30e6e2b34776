// SPDX-License-Identifier: Apache-2.0
#include "timing/global_clock.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::vector<int> one_node() { return std::vector<int>(static_cast<std::size_t>(world().size()), 0); }

/// A number for each rank, as the environment has them.
std::string by_rank(int (*number)(int)) {
  std::string text = std::to_string(number(0));
  for (int rank = 1; rank < world().size(); ++rank) text.append(",").append(std::to_string(number(rank)));
  return text;
}

TEST(ClockLine, GoesThroughComparisonsThatDrift) {
  std::vector<ClockComparison> comparisons;
  EXPECT_EQ(fit_clock_line(comparisons).at(5), 0);
  for (std::int64_t i = 0; i < 5; ++i) {
    const double noise = i % 2 == 0 ? 100 : -100;
    comparisons.push_back(
        {.time = (100 + 2 * i) * second, .offset = 7e9 + 20e3 * static_cast<double>(i) + noise});
  }
  const ClockLine line = fit_clock_line(comparisons);  // 10 microseconds a second
  EXPECT_NEAR(line.drift, 1e-5, 1e-7);
  EXPECT_NEAR(line.at(100 * second), 7e9, 200);
  EXPECT_NEAR(line.at(128 * second), 7e9 + 280e3, 2000);  // and goes on
}

TEST(ClockLine, IsFlatAtTheLastWhereTheyAreClose) {
  const std::vector<ClockComparison> close = {{.time = 0, .offset = 500},
                                              {.time = second / 2, .offset = 900}};
  const ClockLine line = fit_clock_line(close);
  EXPECT_EQ(line.drift, 0);
  EXPECT_EQ(line.at(100 * second), 900);
}

TEST(NodeClocks, OfOneNodeAreOneClock) {
  NodeClocks clocks(world(), clocks_of_world(world(), one_node()));
  clocks.compare(100);
  EXPECT_EQ(clocks.clocks(), 1);
  EXPECT_EQ(clocks.error_nanoseconds(), 0);
  for (const std::int64_t t : {std::int64_t{0}, now_nanoseconds()}) EXPECT_EQ(clocks.clock().at(t), t);
}

/// Ranks whose clocks are hours apart and run fast or slow: after comparing, all show the same at one time.
TEST(NodeClocks, BringsTogetherWhatIsApartAndDrifts) {
  setenv("ISOBATH_CLOCK_SKEW",
         by_rank([](int rank) { return 3600 * rank * (rank % 2 == 0 ? 1 : -1); }).c_str(), 1);
  setenv("ISOBATH_CLOCK_DRIFT", by_rank([](int rank) { return 1000000 * rank; }).c_str(), 1);
  NodeClocks clocks(world(), clocks_of_world(world(), one_node()));
  unsetenv("ISOBATH_CLOCK_SKEW");
  unsetenv("ISOBATH_CLOCK_DRIFT");
  EXPECT_EQ(clocks.clocks(), world().size());
  EXPECT_EQ(clocks.error_nanoseconds() > 0, world().size() > 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  clocks.compare(100);
  // The first line was flat: in 1.1 s the clock of rank 1, twice as fast, went 1.1 s off, or more.
  if (world().size() > 1) {
    EXPECT_GT(clocks.error_nanoseconds(), 600'000'000);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  // All clocks of this machine are one in truth: whatever a rank reads is rank 0's time, but for the error of
  // two comparisons, half a second on.
  const std::int64_t mine = now_nanoseconds();
  const std::int64_t off = std::abs(clocks.clock().at(mine) - mine);
  clocks.compare(100);
  const std::int64_t error = clocks.error_nanoseconds();
  EXPECT_LE(world().max(off), 250'000'000) << "500 ms by drift alone, were it not followed";
  EXPECT_LT(error, 250'000'000);
}

}  // namespace
}  // namespace isobath::test
