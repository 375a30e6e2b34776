// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace isobath {

/// Seconds of the monotonic clock; ranks of one node share it. In a simulation that of the simulated machine,
/// which all ranks share.
double now_seconds();

/// The same clock in whole nanoseconds, for differences of single calls.
std::int64_t now_nanoseconds();

/// What times of this program are: measured, or simulated.
std::string_view origin_of_times();

}  // namespace isobath
