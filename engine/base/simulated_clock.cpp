// SPDX-License-Identifier: Apache-2.0
#include <simgrid/engine.h>
#include <smpi/smpi.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/computation.hpp"
#include "base/error.hpp"

namespace isobath {
namespace {

constexpr const char* variable = "ISOBATH_ARC_SECONDS";
constexpr double flops_per_second = 1e9;  // of every host of a platform (src/isobath/simulation/simgrid.py)

}  // namespace

double now_seconds() { return simgrid_get_clock(); }

std::int64_t now_nanoseconds() { return std::llround(simgrid_get_clock() * 1e9); }

std::string_view origin_of_times() { return "simulated"; }

double simulated_arc_seconds() {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return 0;
  const std::string_view digits = text;
  double seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(seconds) ||
      seconds < 0) {
    throw UsageError(
        fmt::format("{} is '{}'; set it to the seconds of computation for each arc, 0 or more, or "
                    "unset it",
                    variable, digits));
  }
  return seconds;
}

void computed(std::int64_t arcs) {
  const double seconds = static_cast<double>(arcs) * simulated_arc_seconds();
  if (seconds > 0) smpi_execute_flops(seconds * flops_per_second);
}

}  // namespace isobath
