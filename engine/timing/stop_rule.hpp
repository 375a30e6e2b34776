// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace isobath {

/// When enough is measured. A sample is the time of one call: of each repetition, or, where calls stream, of
/// each batch. Invalid ones count for `most` and the budget only.
struct StopRule {
  double half_width = 0.02;  // of the 95 % interval of the median, as a part of it
  int least = 20;            // valid samples before the interval may stop
  int most = 1000;           // calls, valid or not, without warm-up
  /// Of everything from the first start on: warm-up, writing and checking of buffers, common starts. Nothing
  /// begins that would not end within it, by how long the last took; one call is made in any case.
  double budget_seconds = 10;
};

enum class StopReason { interval, most, budget };
std::string_view name_of(StopReason reason);

/// Back to back, or each after a start of its own.
enum class Cadence { isolated, streaming };
std::string_view name_of(Cadence cadence);
/// @throws UsageError
Cadence parse_cadence(std::string_view name);

// Plain functions of what all ranks agree on; all times in nanoseconds.

/// What was used up so far.
struct Spent {
  int made = 0;              // calls
  std::int64_t elapsed = 0;  // since the start
  int step = 1;              // calls that are made before the next decision, at the least
  std::int64_t typical = 0;  // that one call needs, with everything around it; 0: unknown
};

/// Why to stop with these valid samples; absent: go on.
std::optional<StopReason> reason_to_stop(const StopRule& rule, std::span<const std::int64_t> samples,
                                         const Spent& spent);

/// Does another step end within the budget?
bool fits_budget(const StopRule& rule, const Spent& spent);

/// Is the warm-up over? At least ten calls, unless half of the budget is used before; then, when the median
/// of the last ten is within 5 % of that of the ten before, or after a tenth of `most`, at least a hundred,
/// or when a quarter of the budget is used.
bool is_warm(const StopRule& rule, std::span<const std::int64_t> times, std::int64_t elapsed);

/// Calls of the next batch of the warm-up: one, then as many as make ten, then ten (in a stream: up to
/// stream_length()), fewer where the time of the warm-up would not do. At least one.
int warm_up_batch(const StopRule& rule, Cadence cadence, const Spent& spent);

/// Repetitions until the ranks next put their times together, after the warm-up: ten, fewer where `most` or
/// the budget ends before. At least one.
int isolated_batch(const StopRule& rule, const Spent& spent);

/// Calls of every batch of a stream after the warm-up, the same for all batches, since a longer one hides
/// more: twenty, fewer where `least` batches would be more than `most` calls or the rest of the budget. At
/// least one.
int stream_length(const StopRule& rule, const Spent& spent);

}  // namespace isobath
