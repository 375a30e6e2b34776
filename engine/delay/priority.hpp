// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace isobath {

/// Before whom the system lets this process run.
enum class Priority {
  real_time,  // before everybody else
  high,       // with more of the processors than others
  usual,
};

/// Takes the highest that is permitted, and timers without slack.
Priority take_priority();

/// For programs: "real-time", "high", "usual".
std::string_view name_of(Priority priority);

}  // namespace isobath
