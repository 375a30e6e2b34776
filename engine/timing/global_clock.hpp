// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.hpp"
#include "comm/communicator.hpp"

namespace isobath {

/// The clock of this rank, shifted onto that of rank 0. Ranks of one node share a clock and shift nothing.
class GlobalClock {
 public:
  GlobalClock() = default;
  /// @param skew_nanoseconds  what a test adds to the clock of this rank, so that one machine looks like
  ///     several whose clocks disagree
  /// @param offset_nanoseconds  what brings it back onto that of rank 0
  /// @param error_nanoseconds  the largest of any rank: two times are no further off than twice this
  GlobalClock(std::int64_t skew_nanoseconds, std::int64_t offset_nanoseconds, std::int64_t error_nanoseconds)
      : shift_(skew_nanoseconds + offset_nanoseconds), error_(error_nanoseconds) {}

  std::int64_t now() const { return now_nanoseconds() + shift_; }
  std::int64_t shift_nanoseconds() const { return shift_; }
  std::int64_t error_nanoseconds() const { return error_; }

 private:
  std::int64_t shift_ = 0;
  std::int64_t error_ = 0;
};

/// Collective. Asks the first rank of every other node for the time (comm/clock_offsets.hpp); no message on
/// one node. Clocks drift: measure again every half minute. ISOBATH_CLOCK_SKEW of rank 0 is honoured.
/// @param node_of_rank  as NodeMap has it
/// @param rounds        questions per node, > 0; the quickest counts
GlobalClock measure_global_clock(const Communicator& world, std::span<const int> node_of_rank,
                                 int rounds = 100);

}  // namespace isobath
