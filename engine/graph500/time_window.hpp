// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace isobath {

struct Timeline;

/// When the clock of a search ran, in seconds of now_seconds(): read before and after it.
struct TimeWindow {
  double start = 0;
  double stop = 0;
  double seconds() const { return stop - start; }
};

/// Seconds that the window may be longer than the phases inside it, beside this part of it: a rank may be
/// interrupted between the reading of the clock and the first phase.
inline constexpr double window_slack_seconds = 0.25;
inline constexpr double window_slack_part = 0.05;

/// The detector of a tampered clock: everything that the search did, from the start of reset to the end of
/// emit, must lie inside the window, the phases must follow each other without a gap, and little else may be
/// in the window. Starting the clock after the first level, stopping it before the parents are out, or
/// leaving a phase away breaks this. Returns a sentence, empty when all is right.
std::string check_time_window(const TimeWindow& window, const Timeline& timeline);

}  // namespace isobath
