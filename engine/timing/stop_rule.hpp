// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace isobath {

/// When enough is measured. Repetitions that are invalid count for `most` only.
struct StopRule {
  double half_width = 0.02;    // of the 95 % interval of the median, as a part of it
  int least = 20;              // valid repetitions before the interval may stop
  int most = 1000;             // repetitions, valid or not
  double budget_seconds = 10;  // of everything, warm-up included; at least one repetition is made
};

enum class StopReason { interval, most, budget };
std::string_view name_of(StopReason reason);

/// Back to back, or each after a start of its own.
enum class Cadence { isolated, streaming };
std::string_view name_of(Cadence cadence);
/// @throws UsageError
Cadence parse_cadence(std::string_view name);

// Plain functions of what all ranks agree on; all times in nanoseconds.

/// Why to stop after these valid times, out of `made` repetitions, `elapsed` after the start; absent: go on.
std::optional<StopReason> reason_to_stop(const StopRule& rule, std::span<const std::int64_t> valid_times,
                                         int made, std::int64_t elapsed);

/// Is the warm-up over? When the median of the last ten is within 5 % of that of the ten before; or after a
/// tenth of `most`, at least a hundred; or when a quarter of the budget is used.
bool is_warm(const StopRule& rule, std::span<const std::int64_t> times, std::int64_t elapsed);

/// Repetitions until the ranks next put their times together: ten (fifty in a stream), fewer where `allowed`
/// is less or where one of the `typical` length makes them too long for what is left of the budget. At least
/// one. @param typical  0: unknown, then one is tried first
int batch_size(const StopRule& rule, Cadence cadence, int allowed, std::int64_t typical,
               std::int64_t elapsed);

}  // namespace isobath
