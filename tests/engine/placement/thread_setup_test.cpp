// SPDX-License-Identifier: Apache-2.0
#include "placement/thread_setup.hpp"

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Processors 0 .. cores - 1 are the first hardware threads, the next `cores` the second ones, and so on.
std::vector<CpuPlace> machine(int cores, int threads_per_core = 1) {
  std::vector<CpuPlace> places;
  for (int cpu = 0; cpu < cores * threads_per_core; ++cpu) places.push_back({cpu, 0, cpu % cores});
  return places;
}

using Cpus = std::vector<int>;

TEST(ShareOut, OneRankGetsAllCores) {
  const ThreadPlaces places = share_out(machine(4), {}, std::nullopt, std::nullopt);
  EXPECT_EQ(places.threads, 4);
  EXPECT_FALSE(places.oversubscribed);
  EXPECT_EQ(places.cpus, (Cpus{0, 1, 2, 3}));
}

TEST(ShareOut, RanksOfANodeGetConsecutiveShares) {
  const ThreadPlaces places =
      share_out(machine(8), {.local_rank = 1, .local_ranks = 2}, std::nullopt, std::nullopt);
  EXPECT_EQ(places.threads, 4);
  EXPECT_EQ(places.cpus, (Cpus{4, 5, 6, 7}));
}

TEST(ShareOut, CoresThatDoNotDivideGiveEveryRankTheSameThreads) {
  for (int rank = 0; rank < 3; ++rank) {
    const ThreadPlaces places =
        share_out(machine(8), {.local_rank = rank, .local_ranks = 3}, std::nullopt, std::nullopt);
    EXPECT_EQ(places.threads, 2) << rank;
    EXPECT_FALSE(places.oversubscribed) << rank;
  }
}

TEST(ShareOut, ThreadsGetCoresFirstAndHardwareThreadsThen) {
  EXPECT_EQ(share_out(machine(2, 2), {}, std::nullopt, std::nullopt).cpus, (Cpus{0, 1}));
  const ThreadPlaces three = share_out(machine(2, 2), {}, 3, std::nullopt);
  EXPECT_EQ(three.cpus, (Cpus{0, 1, 2}));
  EXPECT_FALSE(three.oversubscribed);
}

TEST(ShareOut, AShareKeepsTheHardwareThreadsOfItsCores) {
  const ThreadPlaces places = share_out(machine(2, 2), {.local_rank = 1, .local_ranks = 2}, 2, std::nullopt);
  EXPECT_EQ(places.cpus, (Cpus{1, 3}));
}

TEST(ShareOut, MoreRanksThanCoresAreOversubscribedWithOneThreadEach) {
  for (int rank = 0; rank < 3; ++rank) {
    const ThreadPlaces places =
        share_out(machine(2), {.local_rank = rank, .local_ranks = 3}, std::nullopt, std::nullopt);
    EXPECT_EQ(places.threads, 1) << rank;
  }
  EXPECT_TRUE(
      share_out(machine(2), {.local_rank = 0, .local_ranks = 3}, std::nullopt, std::nullopt).oversubscribed);
}

TEST(ShareOut, MoreThreadsThanProcessorsAreOversubscribedAndFree) {
  const ThreadPlaces places = share_out(machine(2), {}, 3, std::nullopt);
  EXPECT_EQ(places.threads, 3);
  EXPECT_TRUE(places.oversubscribed);
  EXPECT_TRUE(places.cpus.empty());
  EXPECT_TRUE(share_out(machine(2), {.local_rank = 0, .local_ranks = 2}, 2, std::nullopt).oversubscribed);
}

TEST(ShareOut, WhereTheLauncherBoundTheRanksTheirProcessorsAreTheirOwn) {
  const NodePlace place{.local_rank = 1, .local_ranks = 2, .same_cpus = false};
  const ThreadPlaces places = share_out({{6, 0, 6}, {7, 0, 7}}, place, std::nullopt, std::nullopt);
  EXPECT_EQ(places.threads, 2);
  EXPECT_EQ(places.cpus, (Cpus{6, 7}));
}

TEST(ShareOut, TheLimitOfAContainerIsKept) {
  EXPECT_EQ(share_out(machine(8), {}, std::nullopt, 2.5).threads, 2);
  EXPECT_EQ(share_out(machine(8), {}, std::nullopt, 0.5).threads, 1);
  EXPECT_FALSE(share_out(machine(8), {}, std::nullopt, 0.5).oversubscribed);
  EXPECT_EQ(share_out(machine(8), {.local_rank = 0, .local_ranks = 2}, std::nullopt, 4.0).threads, 2);
  EXPECT_TRUE(share_out(machine(8), {}, 4, 2.0).oversubscribed);
}

TEST(ShareOut, CoresOfTwoPackagesMayHaveEqualNumbers) {
  const std::vector<CpuPlace> places = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}};
  EXPECT_EQ(share_out(places, {}, std::nullopt, std::nullopt).threads, 4);
  EXPECT_EQ(share_out(places, {.local_rank = 1, .local_ranks = 2}, std::nullopt, std::nullopt).cpus,
            (Cpus{2, 3}));
}

TEST(ShareOut, AShareLiesInOneMemoryDomain) {
  // Domains whose cores alternate, as some machines number them.
  const std::vector<CpuPlace> places = {{0, 0, 0, 0}, {1, 0, 1, 1}, {2, 0, 2, 0}, {3, 0, 3, 1}};
  EXPECT_EQ(share_out(places, {.local_rank = 0, .local_ranks = 2}, std::nullopt, std::nullopt).cpus,
            (Cpus{0, 2}));
  EXPECT_EQ(share_out(places, {.local_rank = 1, .local_ranks = 2}, std::nullopt, std::nullopt).cpus,
            (Cpus{1, 3}));
}

}  // namespace
}  // namespace isobath
