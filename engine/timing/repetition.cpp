// SPDX-License-Identifier: Apache-2.0
#include "timing/repetition.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <span>

#include "timing/joint_times.hpp"
#include "timing/median_interval.hpp"

namespace isobath {

std::vector<std::int64_t> Repetitions::valid_times() const {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].is_valid && !mine[i].is_warm_up) times.push_back(nanoseconds[i]);
  }
  return times;
}

std::int64_t involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

RepetitionCourse::RepetitionCourse(const Communicator& comm, StartAlignment& alignment, const StopRule& rule,
                                   Cadence cadence)
    : comm_(&comm), alignment_(&alignment), rule_(rule), cadence_(cadence), began_(now_nanoseconds()) {}

int RepetitionCourse::next_batch() const {
  if (is_over_) return 0;
  std::int64_t typical = 0;
  if (!done_.nanoseconds.empty()) {
    const auto last = std::span(done_.nanoseconds).last(std::min<std::size_t>(10, done_.nanoseconds.size()));
    typical = std::max<std::int64_t>(1, static_cast<std::int64_t>(median_of(last)));
  }
  const int measured = made() - warm_ups_;
  const int allowed = is_warm_ ? rule_.most - measured : std::max(100, rule_.most / 10);
  return batch_size(rule_, cadence_, allowed, typical, elapsed_);
}

void RepetitionCourse::mark_switched_out(int count) {
  for (Repetition& one : std::span(done_.mine).last(static_cast<std::size_t>(count))) {
    one.was_switched_out = true;
  }
}

void RepetitionCourse::conclude_batch() {
  const std::size_t first = done_.nanoseconds.size();
  const std::size_t size = done_.mine.size() - first;
  // One reduction for all: the largest of minus the entry, exit, invalid, switched out; last the time so far.
  std::vector<std::int64_t> largest(4 * size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    const Repetition& one = done_.mine[first + i];
    largest[i] = -one.entry_nanoseconds;
    largest[size + i] = one.exit_nanoseconds;
    largest[2 * size + i] = one.is_valid ? 0 : 1;
    largest[3 * size + i] = one.was_switched_out ? 1 : 0;
  }
  largest.back() = now_nanoseconds() - began_;
  comm_->max(std::span<std::int64_t>(largest));
  elapsed_ = largest.back();

  for (std::size_t i = 0; i < size; ++i) largest[i] = -largest[i];
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

  if (!is_warm_) {
    is_warm_ = is_warm(rule_, done_.nanoseconds, elapsed_);
    if (is_warm_) warm_ups_ = made();
    return;
  }
  const std::optional<StopReason> reason =
      reason_to_stop(rule_, done_.valid_times(), made() - warm_ups_, elapsed_);
  if (reason) {
    done_.why = *reason;
    is_over_ = true;
  }
}

}  // namespace isobath
