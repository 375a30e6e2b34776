// SPDX-License-Identifier: Apache-2.0
// Every interleaving of the threads of a rank that scan and communicate, a question at a time. take_turn() is
// the engine's own; what it asks is answered by a model of the frontier's columns and of the channel.
#include "bfs/scan_and_send.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bfs/fair_cycle.hpp"
#include "bfs/team_model.hpp"

namespace isobath {
namespace {

using test::explore;
using test::Explored;
using test::Scenario;
using test::Turn;
using test::View;

/// As ProposingPlan::scan_and_send gives duties.
Turn turns_of(Duty of_first) {
  return [of_first](int thread, int team, std::uint8_t& /*memory*/, View& view) {
    const Duty duty = thread > 0 ? Duty::scan : team == 1 ? Duty::both : of_first;
    return take_turn(duty, view);
  };
}

/// two-dim as it was: who had scanned waited for room that the other thread had left off making.
bool old_turn_of_two_dim(int thread, int team, std::uint8_t& waits, View& view) {
  if (thread == 0) {
    if (view.is_all_scanned() || view.has_failed()) return false;
    if (team == 1) view.scan_some();
    if (!view.communicate()) view.wait();
    return true;
  }
  if (waits != 0) {
    if (view.is_crowded() && !view.has_failed()) {
      view.wait();
    } else {
      waits = 0;
    }
    return true;
  }
  if (view.has_failed() || !view.scan_some()) return false;
  waits = 1;
  return true;
}

/// simple as it was.
bool old_turn_of_simple(int thread, int /*team*/, std::uint8_t& stage, View& view) {
  constexpr std::uint8_t scanning = 0;
  constexpr std::uint8_t crowded = 1;
  constexpr std::uint8_t ending = 2;
  const bool communicates = thread == 0;
  if (stage == scanning) {
    const bool found = !view.has_failed() && view.scan_some();
    if (found && communicates && view.has_full()) view.communicate();
    stage = found ? crowded : ending;
    return true;
  }
  if (stage == crowded) {
    if (view.is_crowded() && !view.has_failed()) {
      if (communicates) view.communicate();
      view.wait();
    } else {
      stage = scanning;
    }
    return true;
  }
  if (!communicates || view.is_all_scanned() || view.has_failed()) return false;
  view.communicate();
  view.wait();
  return true;
}

std::string text(const Scenario& scenario) {
  return fmt::format("{} ranks, {} threads, {} scans of {} messages, {} unsent, {} under way{}",
                     scenario.ranks, scenario.threads, scenario.scans, scenario.messages_per_scan,
                     scenario.most_unsent, scenario.most_under_way, scenario.may_throw ? ", one throws" : "");
}

/// Room for what all threads put who saw room at once, and not for more.
int bound(const Scenario& scenario) {
  return scenario.most_unsent + scenario.threads * scenario.messages_per_scan;
}

void expect_ends(const Scenario& scenario) {
  const Explored explored = explore(scenario);
  EXPECT_EQ(explored.never_ends, "") << text(scenario);
  EXPECT_EQ(explored.wrong_end, "") << text(scenario);
  EXPECT_LE(explored.most_unsent, bound(scenario)) << text(scenario);
  EXPECT_GT(explored.states, 20) << text(scenario);
}

constexpr Duty duties_of_first[] = {Duty::communicate, Duty::both};

TEST(ScanAndSend, EndsInEveryInterleavingOfATeam) {
  for (const Duty of_first : duties_of_first) {
    for (const int threads : {1, 2, 3}) {
      for (const int messages : {0, 1, 2}) {
        for (const int most_unsent : {0, 2}) {
          if (threads == 3 && messages == 2) continue;  // a million states
          expect_ends({.turn = turns_of(of_first),
                       .threads = threads,
                       .scans = 3,
                       .messages_per_scan = messages,
                       .most_unsent = most_unsent,
                       .most_under_way = 2});
        }
      }
    }
  }
}

TEST(ScanAndSend, EndsWhereThereIsNothingToScan) {
  for (const Duty of_first : duties_of_first) {
    const Explored explored = explore({.turn = turns_of(of_first), .threads = 3, .scans = 0});
    EXPECT_EQ(explored.never_ends + explored.wrong_end, "");
  }
}

/// A message is through when the other rank takes it, which has a level of its own to end.
TEST(ScanAndSend, EndsWhereTwoRanksWaitForEachOther) {
  for (const Duty of_first : duties_of_first) {
    expect_ends({.turn = turns_of(of_first), .ranks = 2, .threads = 1, .scans = 3, .most_unsent = 1});
    expect_ends({.turn = turns_of(of_first),
                 .ranks = 2,
                 .threads = 2,
                 .scans = of_first == Duty::both ? 1 : 2,
                 .messages_per_scan = 1,
                 .most_unsent = 0});
  }
}

TEST(ScanAndSend, EndsWhereAThreadThrows) {
  for (const Duty of_first : duties_of_first) {
    for (const int threads : {1, 2, 3}) {
      expect_ends({.turn = turns_of(of_first),
                   .threads = threads,
                   .scans = 2,
                   .messages_per_scan = threads < 3 ? 2 : 1,
                   .most_unsent = threads < 3 ? 1 : 0,
                   .may_throw = true});
    }
  }
}

/// So the model sees what the code once had: it must not be blind.
TEST(ScanAndSend, NeverEndedInSomeInterleavingsOfTheOldLoops) {
  for (const Turn& turn : {Turn(old_turn_of_two_dim), Turn(old_turn_of_simple)}) {
    for (const int threads : {2, 3}) {
      const Explored explored = explore({.turn = turn, .threads = threads, .scans = 2, .most_unsent = 1});
      for (const char* const found : {"2 scanned", "; left there"}) {  // thread 0 has left
        EXPECT_NE(explored.never_ends.find(found), std::string::npos) << explored.never_ends;
      }
    }
    const Explored ranks = explore(
        {.turn = turn, .ranks = 2, .threads = 2, .scans = 1, .messages_per_scan = 1, .most_unsent = 0});
    EXPECT_NE(ranks.never_ends, "");
  }
}

/// It went on scanning without a look at what was unsent.
TEST(ScanAndSend, HadNoBoundInTheOldLoopOfAThreadLeftAlone) {
  const Scenario scenario{.turn = old_turn_of_two_dim, .threads = 1, .scans = 6, .most_unsent = 1};
  const Explored explored = explore(scenario);
  EXPECT_EQ(explored.never_ends, "");
  EXPECT_GT(explored.most_unsent, bound(scenario));
  expect_ends({.turn = turns_of(Duty::communicate), .threads = 1, .scans = 6, .most_unsent = 1});
}

TEST(FairCycle, IsFoundWhereEverybodyGoesOnForEver) {
  test::Moves alone(1);  // 0 -> 1 <-> 2
  alone.begin_state();
  alone.add(0, 1);
  alone.begin_state();
  alone.add(0, 2);
  alone.begin_state();
  alone.add(0, 1);
  EXPECT_TRUE(find_fair_cycle(alone));

  test::Moves with_exit(2);  // the same, but the other one can end it from each of the two
  with_exit.begin_state();
  with_exit.add(0, 1);
  with_exit.begin_state();
  with_exit.add(0, 2);
  with_exit.add(1, 3);
  with_exit.begin_state();
  with_exit.add(0, 1);
  with_exit.add(1, 3);
  with_exit.begin_state();
  EXPECT_FALSE(find_fair_cycle(with_exit));

  test::Moves seldom(2);  // and here only from one of the two: he may be late every time
  seldom.begin_state();
  seldom.add(0, 1);
  seldom.begin_state();
  seldom.add(0, 0);
  seldom.add(1, 2);
  seldom.begin_state();
  EXPECT_TRUE(find_fair_cycle(seldom));
}

}  // namespace
}  // namespace isobath
