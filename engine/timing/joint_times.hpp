// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "timing/stop_rule.hpp"

namespace isobath {

/// Where a time over all ranks begins. Ranks that were made late on purpose are not part of a call's time:
/// then it begins with the last entry, and what a rank waited for the last one is counted apart.
enum class TimedFrom { first_entry, last_entry };
std::string_view name_of(TimedFrom from);
/// @throws UsageError
TimedFrom parse_timed_from(std::string_view name);

/// How far all ranks were after each call of one batch, by what they know together: `begins` has the first
/// (or last) entry of each call and `last_exits` its last exit, on the global clock. Isolated: last exit
/// minus begin. Streaming: from the last exit of the call before (the first: from its begin); so these add up
/// to the length of the batch. For warm-up alone: a rank may be in the next call while others are in this
/// one, so only the batch as a whole is a measurement.
std::vector<std::int64_t> joint_times(Cadence cadence, std::span<const std::int64_t> begins,
                                      std::span<const std::int64_t> last_exits);

/// A measurement: calls between one common start and the next, and the nanoseconds from the begin of the
/// first to the last exit of any. The time of a call is their quotient. Isolated, a batch is one call.
struct BatchTime {
  int first = 0;  // call, counted from 0
  int calls = 1;
  std::int64_t nanoseconds = 0;

  /// Of one call, to the nearest nanosecond.
  std::int64_t per_call() const { return (nanoseconds + calls / 2) / calls; }
  friend bool operator==(const BatchTime&, const BatchTime&) = default;
};
/// @param starts  the first call of each batch, ascending from 0
std::vector<BatchTime> batch_times(std::span<const int> starts, std::span<const std::int64_t> begins,
                                   std::span<const std::int64_t> last_exits);

}  // namespace isobath
