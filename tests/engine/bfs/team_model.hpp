// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace isobath::test {

/// What a thread asks of its team, or does to it: the indivisible steps of an interleaving.
enum class Step : std::uint8_t {
  ask_failed,
  ask_all_taken,
  ask_all_scanned,
  ask_crowded,
  ask_full,  // clang-format off
  take, count_unsent, hand_over, report_scanned,  // of scan_some(); the two in the middle are one message
  begin_sends, complete                           // of communicate(); clang-format on
};

/// Answers to the steps of the turn that a thread is in: with them alone the turn can be played again up to
/// where it stands, for it knows nothing else of the team.
struct Answers {
  static constexpr int most = 19;
  std::uint8_t count = 0;
  std::array<std::uint8_t, most> answer{};
  void add(int value);
  friend bool operator==(const Answers&, const Answers&) = default;
};

/// The view that take_turn() has of a team, in which every question is a step of its own. It answers from
/// what was answered before; the first step that was not is the next one of this thread, and whatever the turn
/// does behind it is not looked at: it is played again with the answer.
class View {
 public:
  View(const Answers& answers, int messages_per_scan) : answers_(answers), messages_(messages_per_scan) {}

  bool has_failed() { return step(Step::ask_failed) != 0; }
  bool is_all_taken() { return step(Step::ask_all_taken) != 0; }
  bool is_all_scanned() { return step(Step::ask_all_scanned) != 0; }
  bool is_crowded() { return step(Step::ask_crowded) != 0; }
  bool has_full() { return step(Step::ask_full) != 0; }
  bool looks_after_scan() { return has_full(); }
  /// As ProposingPlan::scan_some_into_channel and Channel::hand_over have it.
  bool scan_some() {
    const bool found = step(Step::take) != 0;
    for (int i = 0; found && i < messages_; ++i) {
      step(Step::count_unsent);
      step(Step::hand_over);
    }
    if (found) step(Step::report_scanned);
    return found;
  }
  /// As Channel::progress.
  bool communicate() {
    const bool began = step(Step::begin_sends) != 0;
    return step(Step::complete) != 0 || began;
  }
  /// No step: whoever waits is at its next question, and who comes next is open in any case.
  void wait() {}

  std::optional<Step> next() const { return next_; }

 private:
  int step(Step asked) {
    if (next_) return 0;
    if (played_ < answers_.count) return answers_.answer[played_++];
    next_ = asked;
    return 0;
  }

  const Answers& answers_;
  int messages_;
  std::uint8_t played_ = 0;
  std::optional<Step> next_;
};

/// One turn of a thread of a team of `team`; false when it leaves. `memory` is what the thread itself keeps from one
/// turn to the next.
using Turn = std::function<bool(int thread, int team, std::uint8_t& memory, View& view)>;

/// What is explored: one rank beside a network that delivers when it likes, or two ranks that send to each other
/// and close the round when all of their threads have left.
struct Scenario {
  Turn turn;
  int ranks = 1;
  int threads = 2;
  int scans = 3;              // what there is to take, on every rank
  int messages_per_scan = 2;  // that become full
  int most_unsent = 2;
  int most_under_way = 1;
  bool may_throw = false;  // one thread, wherever it scans or communicates
};

struct Explored {
  std::int64_t states = 0;
  int most_unsent = 0;      // of one rank, in any state
  std::string never_ends;   // how one interleaving goes on for ever, though nobody is left out; empty if none does
  std::string wrong_end;    // what is wrong with a state in which nothing can happen any more; empty if none is
};

/// Goes through every interleaving. Those in which somebody who could act is never let act again are left
/// out: no scheduler and no network is like that.
Explored explore(const Scenario& scenario);

}  // namespace isobath::test
