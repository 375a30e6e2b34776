// SPDX-License-Identifier: Apache-2.0
#include "timing/repetition.hpp"

#include <sys/resource.h>

#include <optional>
#include <span>

namespace isobath {

std::vector<int> Repetitions::batch_starts() const {
  std::vector<int> starts;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].begins_batch) starts.push_back(static_cast<int>(i));
  }
  return starts;
}

std::vector<std::int64_t> Repetitions::valid_times() const {
  std::vector<std::int64_t> times;
  for (std::size_t first = 0; first < mine.size();) {
    BatchTime batch{.calls = 0};
    bool counts = !mine[first].is_warm_up;
    do {
      const std::size_t call = first + static_cast<std::size_t>(batch.calls++);
      batch.nanoseconds += nanoseconds[call];
      counts = counts && mine[call].is_valid;
    } while (first + static_cast<std::size_t>(batch.calls) < mine.size() &&
             !mine[first + static_cast<std::size_t>(batch.calls)].begins_batch);
    if (counts) times.push_back(batch.per_call());
    first += static_cast<std::size_t>(batch.calls);
  }
  return times;
}

std::int64_t involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

RepetitionCourse::RepetitionCourse(const Communicator& comm, StartAlignment& alignment, const StopRule& rule,
                                   Cadence cadence, std::int64_t began)
    : comm_(&comm), alignment_(&alignment), rule_(rule), cadence_(cadence), began_(began) {}

Spent RepetitionCourse::spent() const {
  return {.made = made() - warm_ups_, .elapsed = elapsed_, .step = stream_length_, .typical = typical_};
}

int RepetitionCourse::next_batch() const {
  if (is_over_) return 0;
  if (!is_warm_) return warm_up_batch(rule_, cadence_, spent());
  return cadence_ == Cadence::streaming ? stream_length_ : isolated_batch(rule_, spent());
}

void RepetitionCourse::mark_switched_out(int count) {
  for (Repetition& one : std::span(done_.mine).last(static_cast<std::size_t>(count))) {
    one.was_switched_out = true;
  }
}

void RepetitionCourse::conclude_batch(std::int64_t now) {
  const std::size_t first = done_.nanoseconds.size();
  const std::size_t size = done_.mine.size() - first;
  // The first entry is the largest of minus the entries.
  const std::int64_t sign = alignment_->timed_from() == TimedFrom::first_entry ? -1 : 1;
  // One reduction for all: the largest of entry, exit, invalid, switched out; last the time so far.
  std::vector<std::int64_t> largest(4 * size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    const Repetition& one = done_.mine[first + i];
    largest[i] = sign * one.entry_nanoseconds;
    largest[size + i] = one.exit_nanoseconds;
    largest[2 * size + i] = one.is_valid ? 0 : 1;
    largest[3 * size + i] = one.was_switched_out ? 1 : 0;
  }
  largest.back() = now - began_;
  comm_->max(std::span<std::int64_t>(largest));
  typical_ = (largest.back() - elapsed_) / static_cast<std::int64_t>(size);
  elapsed_ = largest.back();

  for (std::size_t i = 0; i < size; ++i) largest[i] *= sign;
  const std::span<const std::int64_t> joint(largest);
  const std::vector<std::int64_t> times = joint_times(cadence_, joint.first(size), joint.subspan(size, size));
  done_.nanoseconds.insert(done_.nanoseconds.end(), times.begin(), times.end());
  std::size_t invalid = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Repetition& one = done_.mine[first + i];
    one.is_valid = largest[2 * size + i] == 0;
    one.was_switched_out = largest[3 * size + i] != 0;
    one.is_warm_up = !is_warm_;
    if (!one.is_valid) ++invalid;
  }
  if (10 * invalid > size) alignment_->lengthen_lead();
  decide();
}

/// Is the warm-up over, or all of it?
void RepetitionCourse::decide() {
  if (!is_warm_ && !fits_budget(rule_, spent())) {
    // Nothing more can be made: what was made last is the measurement.
    for (std::size_t i = done_.mine.size(); i-- > 0;) {
      done_.mine[i].is_warm_up = false;
      if (done_.mine[i].begins_batch) break;
    }
    done_.why = StopReason::budget;
    is_over_ = true;
  } else if (!is_warm_) {
    is_warm_ = is_warm(rule_, done_.nanoseconds, elapsed_);
    if (!is_warm_) return;
    warm_ups_ = made();
    if (cadence_ == Cadence::streaming) stream_length_ = stream_length(rule_, spent());
  } else if (const auto reason = reason_to_stop(rule_, done_.valid_times(), spent())) {
    done_.why = *reason;
    is_over_ = true;
  }
}

}  // namespace isobath
