// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "timing/global_clock.hpp"
#include "timing/joint_times.hpp"

namespace isobath {

/// How ranks begin a repetition together.
enum class Alignment {
  dissemination,         // our own barrier, so that all libraries are treated alike
  library_barrier,       // MPI_Barrier
  double_dissemination,  // our own twice: the second starts from ranks that the first has brought together
  round_time,            // all spin until a time that one of them chose (ReproMPI's Round-Time)
};

/// barrier:dissemination, barrier:library, barrier:double, roundtime
std::string_view name_of(Alignment alignment);
/// @throws UsageError
Alignment parse_alignment(std::string_view name);

/// Whom a rank tells, and of whom it hears, in one round of the dissemination barrier.
struct DisseminationRound {
  int to = 0;
  int from = 0;
};
/// The round of this distance; distances are 1, 2, 4, ... below `size` (Hensgen, Finkel, Manber 1988).
DisseminationRound dissemination_round(int rank, int size, int distance);

/// Collective. No rank leaves before the last has come. Messages alone, not the library's barrier.
void dissemination_barrier(const Communicator& comm);

/// What can be chosen of it.
struct StartOptions {
  Alignment alignment = Alignment::dissemination;
  std::vector<std::int64_t> delays = {};  // of each rank, as arrival_delays(); empty: none. round_time only
  /// From the choice of a time to that time. Absent: three times the longest broadcast of ten, and longer
  /// after batches in which ranks were late.
  std::optional<std::int64_t> lead_nanoseconds = {};
};

/// Brings the ranks of a communicator to a common start, once per repetition.
class StartAlignment {
 public:
  /// Collective. @param comm, clock  of all ranks of the communicator; comm outlives the object
  /// @throws UsageError for delays without round_time, or not one for each rank
  StartAlignment(const Communicator& comm, GlobalClock clock, StartOptions options = {});

  /// Collective. Returns when this rank may begin. False: it came too late for the common start, and the
  /// repetition is worth nothing.
  bool align();

  /// Collective in effect: all ranks call it after the same repetitions. The next starts are chosen with
  /// twice the lead, unless it was given or is 100 ms already.
  void lengthen_lead();

  Alignment alignment() const { return options_.alignment; }
  /// Where delays are given, times begin when the last rank came.
  TimedFrom timed_from() const { return is_delayed_ ? TimedFrom::last_entry : TimedFrom::first_entry; }
  const GlobalClock& clock() const { return clock_; }
  /// After clocks were compared again.
  void set_clock(const GlobalClock& clock) { clock_ = clock; }
  std::int64_t lead_nanoseconds() const { return lead_; }

 private:
  std::int64_t measured_lead() const;
  bool spin_until_start();

  const Communicator* comm_;
  GlobalClock clock_;
  StartOptions options_;
  bool is_delayed_ = false;
  std::int64_t lead_ = 0;
};

}  // namespace isobath
