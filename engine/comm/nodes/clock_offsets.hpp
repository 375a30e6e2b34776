// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"

namespace isobath {

/// Seconds since some moment in the past.
using Clock = std::function<double()>;

/// The clock of this rank against that of rank 0.
struct ClockOffset {
  double seconds = 0;        // what to add to a time of this rank's clock to have it on rank 0's
  double error_seconds = 0;  // the largest of any rank: the true offset is no further off
  double measured_at = 0;    // when, by the clock of this rank: that of the answer which counts
};

/// Seconds to add to the clock of each rank, as a text names them ("0,0.5,-2").
/// @throws UsageError where there are not `ranks` numbers or one is none
std::vector<double> parse_clock_skew(std::string_view text, int ranks);

/// Collective. ISOBATH_CLOCK_SKEW of rank 0, by which one machine can be looked at as several whose clocks
/// disagree; all 0 where it is not set. @throws UsageError as parse_clock_skew()
std::vector<double> clock_skew(const Communicator& world);

/// Collective. ISOBATH_CLOCK_DRIFT of rank 0: microseconds a second by which the clock of each rank runs
/// fast, in the same form. @throws UsageError as parse_clock_skew()
std::vector<double> clock_drift(const Communicator& world);

/// Which clock each rank reads, numbered from 0: ranks of one node share one, unless they were given
/// different skews (or drifts).
std::vector<int> clocks_of_ranks(std::span<const int> node_of_rank, std::span<const double> skew);

/// Collective. The first rank of each clock other than rank 0's is asked for the time `rounds` times by
/// rank 0. Its clock was read somewhere within the round trip: the quickest one counts, the middle of it is
/// taken, and half of it is the error. Ranks of rank 0's clock have neither offset nor error.
/// @param now  the clock of this rank
ClockOffset measure_clock_offset(const Communicator& world, std::span<const int> clock_of_rank,
                                 const Clock& now, int rounds);

}  // namespace isobath
