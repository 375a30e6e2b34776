// SPDX-License-Identifier: Apache-2.0
#include "graph500/time_window.hpp"

#include <cmath>

#include <fmt/format.h>

#include "graph500/timing_observer.hpp"

namespace isobath {
namespace {

double sum(const PhaseTotals& phases) {
  double seconds = 0;
  for (const double part : phases.seconds) seconds += part;
  return seconds;
}

double summed_phases(const Timeline& timeline) {
  double seconds = sum(timeline.outside);
  for (std::size_t i = 0; i < timeline.num_levels; ++i) seconds += sum(timeline.levels[i].phases);
  return seconds;
}

}  // namespace

std::string check_time_window(const TimeWindow& window, const Timeline& timeline) {
  if (timeline.first_phase != Phase::reset) {
    return fmt::format("the first timed phase is {} instead of reset", name_of(timeline.first_phase));
  }
  if (timeline.last_phase != Phase::emit) {
    return fmt::format("the last timed phase is {} instead of emit", name_of(timeline.last_phase));
  }
  if (!(window.start <= timeline.begin)) {
    return fmt::format("the clock started {:g} s after the search", window.start - timeline.begin);
  }
  if (!(timeline.end <= window.stop)) {
    return fmt::format("the clock stopped {:g} s before the search ended", timeline.end - window.stop);
  }
  // The sum is made of the same readings of the clock, so it differs from the whole by rounding only.
  const double whole = timeline.end - timeline.begin;
  const double summed = summed_phases(timeline);
  if (!(std::abs(summed - whole) <= 1e-9 + 1e-9 * whole)) {
    return fmt::format("the phases take {:g} s together, but {:g} s passed from the first to the last",
                       summed, whole);
  }
  const double slack = window_slack_seconds + window_slack_part * window.seconds();
  if (!(window.seconds() - whole <= slack)) {
    return fmt::format("the clock ran {:g} s, but the phases account for only {:g} s", window.seconds(),
                       whole);
  }
  return {};
}

}  // namespace isobath
