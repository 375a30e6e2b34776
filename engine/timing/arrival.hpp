// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace isobath {

/// How much later than the common start each rank begins, in nanoseconds. Patterns, durations in
/// microseconds:
///   zero             all at once
///   linear:D         rank r of p after D r / (p - 1): the last after D
///   one-late:D       the last rank after D, the others at once
///   given:D,D,...    one for each rank, as recorded
/// @throws UsageError for anything else, a negative duration, or another number of them than `ranks`
std::vector<std::int64_t> arrival_delays(std::string_view pattern, int ranks);

}  // namespace isobath
