// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/bare/progress_thread.hpp"
#include "overlap/fixed_work.hpp"
#include "overlap/operation.hpp"
#include "overlap/part_times.hpp"
#include "timing/start_alignment.hpp"

namespace isobath {

/// Everything that is measured of one setting; what each means: docs/explanation/overlap.md.
struct OverlapTimes {
  PartTimes blocking;     // the blocking call
  PartTimes nonblocking;  // start and wait at once
  PartTimes work;         // the work alone, nothing in flight, no progress thread awake
  PartTimes no_overlap;   // blocking call, then work
  PartTimes overlap;      // start, work with tests in it, wait
  std::vector<std::vector<std::int64_t>> start, inside, test, wait;  // of overlap; inside: work without tests
  PartTimes osu;  // start, compute until a time has passed, wait
  std::vector<std::vector<std::int64_t>> osu_start, osu_compute, osu_test, osu_wait;  // compute: with tests
  PartTimes imb;  // start, work that should last as long as the call, wait
  std::vector<std::vector<std::int64_t>> imb_work;
  std::vector<int> invalid;  // repetitions in which some rank was late for a start
};

/// How one setting is measured.
struct OverlapSetting {
  std::int64_t units = 1;      // of work
  std::int64_t imb_units = 1;  // that last about as long as the call
  int tests = 0;               // equally spaced in the work
  int repetitions = 20;
  int warm_ups = 5;
  double budget_seconds = 5;  // no repetition begins after it; one is made in any case
};

/// Who takes part. All outlive the measurement.
struct OverlapActors {
  const Communicator& comm;
  StartAlignment& alignment;
  OverlapOperation& operation;
  FixedWork& work;
  ProgressThread* progress = nullptr;  // awake in all parts but `work`
};

/// Collective. Time of one unit of work and of start and wait, each the median over repetitions of the time
/// that all ranks need together; to say how many units make a wanted share.
struct OverlapCalibration {
  double unit_nanoseconds = 0;
  double call_nanoseconds = 0;
};
OverlapCalibration calibrate_overlap(const OverlapActors& actors);

/// Collective. In every repetition all parts are measured once, one after the other, beginning with another
/// part each time, so that what changes slowly befalls all alike.
OverlapTimes measure_overlap(const OverlapActors& actors, const OverlapSetting& setting);

}  // namespace isobath
