// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// A straight line over this rank's clock, in nanoseconds: what to add to a reading of `t`.
struct ClockLine {
  std::int64_t origin = 0;
  double offset = 0;  // at the origin
  double drift = 0;   // nanoseconds a nanosecond

  double at(std::int64_t t) const { return offset + drift * static_cast<double>(t - origin); }
};

/// What two clocks were apart at one time, by the quickest of several round trips.
struct ClockComparison {
  std::int64_t time = 0;
  double offset = 0;
};

/// Least squares through comparisons, ascending in time, so that what drifts is followed between and after
/// them. Where they span less than a second the error of one would be taken for drift: then the line is flat
/// at the last. None: zero.
ClockLine fit_clock_line(std::span<const ClockComparison> comparisons);

/// The clock of this rank, brought onto that of rank 0. Ranks of one node share a clock and add nothing.
class GlobalClock {
 public:
  GlobalClock() = default;
  explicit GlobalClock(const ClockLine& line)
      : origin_(line.origin), offset_(static_cast<std::int64_t>(line.offset)), drift_(line.drift) {}

  std::int64_t now() const { return at(now_nanoseconds()); }
  /// Of a reading of now_nanoseconds().
  std::int64_t at(std::int64_t t) const {
    return t + offset_ + static_cast<std::int64_t>(drift_ * static_cast<double>(t - origin_));
  }

 private:
  std::int64_t origin_ = 0;
  std::int64_t offset_ = 0;
  double drift_ = 0;
};

/// Which clock a rank reads, and what a test adds to it so that one machine looks like several.
struct RankClock {
  int clock = 0;         // numbered from 0; ranks of one node share one
  double skew = 0;       // seconds
  double drift_ppm = 0;  // microseconds a second
};

/// Collective. By rank. ISOBATH_CLOCK_SKEW and ISOBATH_CLOCK_DRIFT of rank 0 are honoured.
/// @param node_of_rank  as NodeMap has it
std::vector<RankClock> clocks_of_world(const Communicator& world, std::span<const int> node_of_rank);

/// The clocks of some ranks, compared with rank 0's again and again.
class NodeClocks {
 public:
  /// Collective; compares them once. @param clocks  by rank of `comm`, which outlives the object
  NodeClocks(const Communicator& comm, std::vector<RankClock> clocks);

  /// Collective. Asks the first rank of every other clock `rounds` times for the time; the quickest counts.
  /// Says how far the line that held until now had gone off, and fits a new one. No message where there is
  /// one clock.
  void compare(int rounds = 20);

  /// As of the last comparison.
  GlobalClock clock() const;
  /// 1: all ranks read the same, and there is nothing to compare.
  int clocks() const { return clocks_; }
  /// What two times of different ranks may have been wrong by since the comparison before the last: the
  /// residual that the last found, the largest of all ranks, and half of its quickest round trip. 0 of one
  /// clock. The same on all ranks.
  std::int64_t error_nanoseconds() const { return error_; }

 private:
  ClockLine pretended() const;

  const Communicator* comm_;
  std::vector<RankClock> by_rank_;
  int clocks_;
  std::int64_t moment_ = 0;  // of this run, the same on all ranks, so that no digit is lost in a double
  std::vector<ClockComparison> comparisons_;
  ClockLine line_;
  std::int64_t error_ = 0;
};

}  // namespace isobath
