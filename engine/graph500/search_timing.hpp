// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "graph500/time_window.hpp"
#include "graph500/timing_observer.hpp"
#include "record/records.hpp"

namespace isobath {

/// One search as all ranks saw it: seconds of the slowest rank, bytes, messages and arcs summed.
struct SearchTiming {
  double seconds = 0;
  double seconds_min = 0;
  double seconds_mean = 0;
  ByPhase<double> phases;  // each summed over the levels of a rank, then the maximum over ranks
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::vector<LevelRecord> levels;  // their `search` is not filled in
};

/// Collective, after the search. @throws InternalError when a rank's clock does not enclose its phases, or
/// when ranks disagree on the levels
SearchTiming reduce_search(const Communicator& world, const TimeWindow& window, const Timeline& timeline);

}  // namespace isobath
