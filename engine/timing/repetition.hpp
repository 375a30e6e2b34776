// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "timing/start_alignment.hpp"
#include "timing/stop_rule.hpp"

namespace isobath {

/// One timed call on this rank. Times are those of the global clock.
struct Repetition {
  std::int64_t entry_nanoseconds = 0;
  std::int64_t exit_nanoseconds = 0;
  bool is_valid = true;  // all ranks came in time for the common start
  bool is_warm_up = false;
  bool begins_batch = true;  // after a common start; else straight after the call before
  bool was_switched_out =
      false;  // on any rank, between its way to the start and its exit; of a stream the whole batch
};

/// The repetitions of one call, in order, warm-up first. Ranks agree on everything but `mine`'s times.
struct Repetitions {
  std::vector<Repetition> mine;
  std::vector<std::int64_t> nanoseconds;  // of each over all ranks, as joint_times()
  StopReason why = StopReason::most;
  /// The samples that count: of each batch that is neither warm-up nor has an invalid call, the time of a
  /// call, to the nearest nanosecond.
  std::vector<std::int64_t> valid_times() const;
  /// First call of each batch.
  std::vector<int> batch_starts() const;
};

/// What is done around the call, outside its time, with the number of the repetition (from 0, warm-up
/// included): fill buffers before it, check them after it. Either may be empty. Where repetitions stream, a
/// batch is called back to back, and these are done before and after the whole batch, with the number of its
/// first.
struct Around {
  std::function<void(int)> before = {};
  std::function<void(int)> after = {};
};

/// Involuntary context switches of this thread since it began.
std::int64_t involuntary_switches();

/// The course of repeat() without the call: how many to make next, and what the ranks make of them together.
/// It reads no clock: it is told the time.
class RepetitionCourse {
 public:
  /// @param began  this rank's clock
  RepetitionCourse(const Communicator& comm, StartAlignment& alignment, const StopRule& rule, Cadence cadence,
                   std::int64_t began);

  /// Repetitions of the next batch; 0: it is over.
  int next_batch() const;
  /// A repetition of this rank.
  void add(const Repetition& repetition) { done_.mine.push_back(repetition); }
  /// The last so many were interrupted on this rank.
  void mark_switched_out(int count);
  /// Collective. After each batch: times and validity over all ranks, and whether to go on.
  void conclude_batch(std::int64_t now);
  int made() const { return static_cast<int>(done_.mine.size()); }
  Repetitions finish() { return std::move(done_); }

 private:
  void decide();
  Spent spent() const;

  const Communicator* comm_;
  StartAlignment* alignment_;
  StopRule rule_;
  Cadence cadence_;
  std::int64_t began_;
  std::int64_t elapsed_ = 0;  // longest of any rank when the last batch ended
  std::int64_t typical_ = 0;  // that a call of the last batch needed, with everything around it
  bool is_warm_ = false;
  bool is_over_ = false;
  int warm_ups_ = 0;
  int stream_length_ = 1;  // of every batch after the warm-up
  Repetitions done_;
};

/// Collective. Times `call()` again and again: warm-up, then until the rule says enough (the ranks
/// decide as one, outside the timed part, in batches). Between the two readings of the clock there is the
/// call alone.
/// @param comm  the ranks of `alignment`
template <class Call>
Repetitions repeat(const Communicator& comm, StartAlignment& alignment, const StopRule& rule, Cadence cadence,
                   Call&& call, const Around& around = {}) {
  RepetitionCourse course(comm, alignment, rule, cadence, now_nanoseconds());
  const GlobalClock& clock = alignment.clock();
  std::int64_t switches = 0;
  for (int batch = course.next_batch(); batch > 0; batch = course.next_batch()) {
    for (int i = 0; i < batch; ++i) {
      const bool begins = cadence == Cadence::isolated || i == 0;
      const bool ends = cadence == Cadence::isolated || i == batch - 1;
      const int together = cadence == Cadence::isolated ? 1 : batch;
      if (begins && around.before) around.before(course.made());
      if (begins) switches = involuntary_switches();
      Repetition one{.begins_batch = begins};
      if (begins) one.is_valid = alignment.align();
      one.entry_nanoseconds = clock.now();
      call();
      one.exit_nanoseconds = clock.now();
      course.add(one);
      if (!ends) continue;
      if (involuntary_switches() != switches) course.mark_switched_out(together);
      if (around.after) around.after(course.made() - together);
    }
    course.conclude_batch(now_nanoseconds());
  }
  return course.finish();
}

}  // namespace isobath
