// SPDX-License-Identifier: Apache-2.0
#include "base/clock.hpp"

#include <chrono>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "krylov/measure.hpp"

namespace isobath::test {
namespace {

std::int64_t part_of(const KrylovClock::Nanoseconds& spent, KrylovPart part) {
  return spent[static_cast<std::size_t>(part)];
}

TEST(KrylovClock, PartsAddUpToAllOfIt) {
  KrylovClock clock;
  clock.begins(KrylovPart::halo);  // before the reset: forgotten
  clock.reset();
  const std::int64_t begun = now_nanoseconds();
  for (int i = 0; i < 3; ++i) {
    clock.begins(KrylovPart::product);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    clock.begins(KrylovPart::dots);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const KrylovClock::Nanoseconds spent = clock.stop();
  const std::int64_t all = now_nanoseconds() - begun;
  const std::int64_t sum = std::accumulate(spent.begin(), spent.end(), std::int64_t{0});
  EXPECT_LE(sum, all);
  EXPECT_GE(part_of(spent, KrylovPart::product), 6'000'000);
  EXPECT_GE(part_of(spent, KrylovPart::dots), 3'000'000);
  EXPECT_EQ(part_of(spent, KrylovPart::halo), 0);
  EXPECT_EQ(sum, part_of(spent, KrylovPart::product) + part_of(spent, KrylovPart::dots));
}

TEST(KrylovParts, StandInTheOrderOfTheirNumbers) {
  for (std::size_t i = 0; i < krylov_parts.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(krylov_parts[i].first), i);
  }
}

}  // namespace
}  // namespace isobath::test
