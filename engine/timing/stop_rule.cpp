// SPDX-License-Identifier: Apache-2.0
#include "timing/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "timing/median_interval.hpp"

namespace isobath {
namespace {

constexpr int compared = 10;  // values on each side, in warm-up; and its least
constexpr int longest_isolated = 10;
constexpr int longest_stream = 20;

double budget_nanoseconds(const StopRule& rule) { return rule.budget_seconds * 1e9; }

/// When the warm-up has to end: it may use half of the budget for its least, else a quarter.
double end_of_warm_up(const StopRule& rule, int made) {
  return budget_nanoseconds(rule) / (made < compared ? 2 : 4);
}

int most_warm_ups(const StopRule& rule) { return std::max(100, rule.most / 10); }

/// Calls that end before a time, as long as the typical one; between 1 and `most`.
int fitting(double until, const Spent& spent, int most) {
  const double left = until - static_cast<double>(spent.elapsed);
  const double calls = left / static_cast<double>(std::max<std::int64_t>(1, spent.typical));
  return static_cast<int>(std::clamp(calls, 1.0, static_cast<double>(std::max(1, most))));
}

}  // namespace

std::string_view name_of(StopReason reason) {
  if (reason == StopReason::interval) return "interval";
  return reason == StopReason::most ? "most" : "budget";
}

std::string_view name_of(Cadence cadence) { return cadence == Cadence::isolated ? "isolated" : "streaming"; }

Cadence parse_cadence(std::string_view name) {
  for (const Cadence cadence : {Cadence::isolated, Cadence::streaming}) {
    if (name == name_of(cadence)) return cadence;
  }
  throw UsageError("cadence '" + std::string(name) + "' is unknown; choose isolated or streaming");
}

bool fits_budget(const StopRule& rule, const Spent& spent) {
  const double next = static_cast<double>(spent.step) * static_cast<double>(spent.typical);
  return static_cast<double>(spent.elapsed) + next < budget_nanoseconds(rule);
}

std::optional<StopReason> reason_to_stop(const StopRule& rule, std::span<const std::int64_t> samples,
                                         const Spent& spent) {
  if (std::ssize(samples) >= rule.least) {
    const std::optional<double> half_width = relative_half_width(samples);
    if (half_width && *half_width <= rule.half_width) return StopReason::interval;
  }
  if (spent.made < 1) return std::nullopt;
  if (spent.made + spent.step > rule.most) return StopReason::most;
  if (!fits_budget(rule, spent)) return StopReason::budget;
  return std::nullopt;
}

bool is_warm(const StopRule& rule, std::span<const std::int64_t> times, std::int64_t elapsed) {
  if (times.empty()) return false;
  const auto made = static_cast<int>(times.size());
  if (static_cast<double>(elapsed) >= end_of_warm_up(rule, made)) return true;
  if (made >= most_warm_ups(rule)) return true;
  if (made < 2 * compared) return false;
  const double before = median_of(times.subspan(times.size() - 2 * compared, compared));
  const double last = median_of(times.last(compared));
  return std::abs(last - before) <= 0.05 * before;
}

int warm_up_batch(const StopRule& rule, Cadence cadence, const Spent& spent) {
  if (spent.made == 0) return 1;
  const int usual = cadence == Cadence::isolated ? longest_isolated : stream_length(rule, spent);
  const int wanted = spent.made < compared ? compared - spent.made : most_warm_ups(rule) - spent.made;
  return fitting(end_of_warm_up(rule, spent.made), spent, std::min(usual, wanted));
}

int isolated_batch(const StopRule& rule, const Spent& spent) {
  return fitting(budget_nanoseconds(rule), spent, std::min(longest_isolated, rule.most - spent.made));
}

int stream_length(const StopRule& rule, const Spent& spent) {
  const int least = std::max(1, rule.least);
  const int length = std::min(longest_stream, rule.most / least);
  return fitting(budget_nanoseconds(rule), {.elapsed = spent.elapsed, .typical = spent.typical * least},
                 length);
}

}  // namespace isobath
