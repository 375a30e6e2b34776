// SPDX-License-Identifier: Apache-2.0
#include "overlap/measure.hpp"

#include <gtest/gtest.h>

#include "mpi_main.hpp"

namespace isobath::test {
namespace {

void spin(std::int64_t nanoseconds) {
  for (const std::int64_t begun = now_nanoseconds(); now_nanoseconds() - begun < nanoseconds;) {
  }
}

/// A collective that takes a known time, half of it in the start when it is not blocking.
class KnownOperation final : public OverlapOperation {
 public:
  void call() override { spin(400'000); }
  void start() override { spin(200'000); }
  void test() override {
    ++tests;
    spin(50'000);
  }
  void wait() override { spin(200'000); }
  int tests = 0;
};

/// Work of 20 microseconds a unit.
class KnownWork final : public FixedWork {
 public:
  void run(std::int64_t first, std::int64_t end) override {
    units += end - first;
    spin(20'000 * (end - first));
  }
  double checksum() const override { return static_cast<double>(units); }
  std::int64_t units = 0;
};

TEST(Measure, EveryPartIsWhatItSaysItIs) {
  StartAlignment alignment(world(), GlobalClock());
  KnownOperation operation;
  KnownWork work;
  const OverlapActors actors{.comm = world(), .alignment = alignment, .operation = operation, .work = work};
  const OverlapTimes times = measure_overlap(
      actors,
      {.units = 50, .imb_units = 20, .tests = 4, .repetitions = 6, .warm_ups = 2, .budget_seconds = 60});
  const auto ranks = static_cast<std::size_t>(world().size());
  for (const PartTimes* part : {&times.blocking, &times.nonblocking, &times.work, &times.no_overlap,
                                &times.overlap, &times.osu, &times.imb}) {
    ASSERT_EQ(part->together.size(), 6U);
    ASSERT_EQ(part->by_rank.size(), ranks);
    for (std::size_t i = 0; i < 6; ++i) {
      for (const auto& own : part->by_rank) EXPECT_LE(own.at(i), part->together[i]);
    }
  }
  EXPECT_TRUE(times.invalid.empty());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < 6; ++i) {  // lower bounds: whoever is interrupted takes longer
      EXPECT_GE(times.blocking.by_rank[rank][i], 400'000);
      EXPECT_GE(times.nonblocking.by_rank[rank][i], 400'000);
      EXPECT_GE(times.work.by_rank[rank][i], 1'000'000);
      EXPECT_GE(times.no_overlap.by_rank[rank][i], 1'400'000);
      EXPECT_GE(times.overlap.by_rank[rank][i], 1'600'000);
      EXPECT_GE(times.inside[rank][i], 1'000'000);
      EXPECT_GE(times.test[rank][i], 200'000);
      EXPECT_GE(times.start[rank][i], 200'000);
      EXPECT_GE(times.wait[rank][i], 200'000);
      EXPECT_LE(times.start[rank][i] + times.inside[rank][i] + times.test[rank][i] + times.wait[rank][i],
                times.overlap.by_rank[rank][i]);
      EXPECT_GE(times.osu_compute[rank][i], 400'000);  // as long as start and wait
      EXPECT_LE(times.osu_test[rank][i], times.osu_compute[rank][i]);
      EXPECT_GE(times.osu_start[rank][i], 200'000);
      EXPECT_GE(times.osu_wait[rank][i], 200'000);
      EXPECT_LE(times.osu_start[rank][i] + times.osu_compute[rank][i] + times.osu_wait[rank][i],
                times.osu.by_rank[rank][i]);
      EXPECT_GE(times.imb_work[rank][i], 400'000);
    }
  }
}

TEST(Measure, TheBudgetEndsItAndCalibrationFindsTheUnit) {
  StartAlignment alignment(world(), GlobalClock());
  KnownOperation operation;
  KnownWork work;
  const OverlapActors actors{.comm = world(), .alignment = alignment, .operation = operation, .work = work};
  const OverlapTimes times = measure_overlap(actors, {.units = 1,
                                                      .imb_units = 1,
                                                      .tests = 0,
                                                      .repetitions = 100'000,
                                                      .warm_ups = 1,
                                                      .budget_seconds = 0.001});
  EXPECT_EQ(times.blocking.together.size(), 1U);
  const OverlapCalibration found = calibrate_overlap(actors);
  EXPECT_GE(found.call_nanoseconds, 400'000);
  EXPECT_GE(found.unit_nanoseconds, 20'000);
}

}  // namespace
}  // namespace isobath::test
