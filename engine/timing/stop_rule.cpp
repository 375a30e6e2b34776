// SPDX-License-Identifier: Apache-2.0
#include "timing/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "timing/median_interval.hpp"

namespace isobath {
namespace {

constexpr std::size_t compared = 10;  // values on each side, in warm-up

double budget_nanoseconds(const StopRule& rule) { return rule.budget_seconds * 1e9; }

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

std::optional<StopReason> reason_to_stop(const StopRule& rule, std::span<const std::int64_t> valid_times,
                                         int made, std::int64_t elapsed) {
  if (std::ssize(valid_times) >= rule.least) {
    const std::optional<double> half_width = relative_half_width(valid_times);
    if (half_width && *half_width <= rule.half_width) return StopReason::interval;
  }
  if (made >= rule.most) return StopReason::most;
  if (made >= 1 && static_cast<double>(elapsed) >= budget_nanoseconds(rule)) return StopReason::budget;
  return std::nullopt;
}

bool is_warm(const StopRule& rule, std::span<const std::int64_t> times, std::int64_t elapsed) {
  if (static_cast<double>(elapsed) >= budget_nanoseconds(rule) / 4 && !times.empty()) return true;
  if (std::ssize(times) >= std::max(100, rule.most / 10)) return true;
  if (times.size() < 2 * compared) return false;
  const double before = median_of(times.subspan(times.size() - 2 * compared, compared));
  const double last = median_of(times.last(compared));
  return std::abs(last - before) <= 0.05 * before;
}

int batch_size(const StopRule& rule, Cadence cadence, int allowed, std::int64_t typical,
               std::int64_t elapsed) {
  const int usual = std::clamp(allowed, 1, cadence == Cadence::isolated ? 10 : 50);
  if (typical <= 0) return 1;
  const double left = budget_nanoseconds(rule) - static_cast<double>(elapsed);
  const double fitting = std::clamp(left / static_cast<double>(typical), 1.0, 50.0);
  return std::min(usual, static_cast<int>(fitting));
}

}  // namespace isobath
