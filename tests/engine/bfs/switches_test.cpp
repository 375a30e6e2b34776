// SPDX-License-Identifier: Apache-2.0
#include "bfs/switches.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bfs/plan.hpp"

namespace isobath {
namespace {

std::string text_of(std::string_view plan, const AskedSwitches& asked = {}) {
  std::string text;
  for (const NamedValue& named : named_switches(switches_for(plan, asked))) text += named.value + " ";
  return text;
}

std::string complaint(std::string_view plan, const AskedSwitches& asked) {
  try {
    switches_for(plan, asked);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Switches, BaselinesAreAsPublished) {
  EXPECT_EQ(text_of("replicated-csr"), "own keep 64 none bitmap plain off in off off off off bottom-up ");
  EXPECT_EQ(text_of("replicated-csc"), "own keep 64 none bitmap plain off in off off off off top-down ");
  EXPECT_EQ(text_of("simple"), "own keep 64 none bitmap plain off in off off off off top-down ");
  EXPECT_EQ(text_of("one-sided"), "own keep 64 none bitmap plain off in off off off off top-down ");
  EXPECT_EQ(text_of("two-dim"), "own keep 64 none bitmap plain off in off off off off top-down ");
  EXPECT_EQ(text_of("hybrid"), "eager drop 32 local packed packed on out on on on on policy ");
}

TEST(Switches, AreTakenWhereThePlanHasThem) {
  AskedSwitches asked;
  asked["exchange"] = "two-level";
  asked["ids"] = "32";
  asked["dedup"] = "local";
  asked["duplicates"] = "drop";
  EXPECT_EQ(text_of("simple", asked),
            "two-level drop 32 local bitmap plain off in off off off off top-down ");
  asked["frontier"] = "smaller";
  EXPECT_EQ(text_of("two-dim", asked),
            "two-level drop 32 local smaller plain off in off off off off top-down ");
}

TEST(Switches, AreRefusedInOneSentence) {
  AskedSwitches asked;
  asked["relabel"] = "on";
  EXPECT_EQ(complaint("simple", asked),
            "--relabel on is nothing for the plan simple, which has off; leave the option out");
  asked = {};
  asked["likely-parents"] = "on";
  EXPECT_EQ(complaint("two-dim", asked),
            "--likely-parents on is nothing for the plan two-dim, which has off; leave the option out");
  asked = {};
  asked["hubs"] = "maybe";
  EXPECT_EQ(complaint("hybrid", asked),
            "--hubs maybe is nothing for the plan hybrid; choose one of on, few, off");
  asked = {};
  asked["exchange"] = "fastest";
  EXPECT_EQ(complaint("hybrid", asked),
            "--exchange fastest is nothing for the plan hybrid; choose one of eager, alltoallv, pairwise, "
            "sparse, neighbour, one-sided, persistent, two-level");
  asked = {};
  asked["colour"] = "red";
  EXPECT_EQ(
      complaint("hybrid", asked),
      "there is no switch 'colour'; there are exchange, duplicates, ids, dedup, frontier, fold, relabel, "
      "leaves, likely-parents, hubs, streams, overlap, direction");
  EXPECT_EQ(complaint("nothing", {}),
            "there is no search plan 'nothing'; there are replicated-csr, replicated-csc, simple, one-sided, "
            "two-dim, hybrid");
}

TEST(Switches, ShapesFollowThePlan) {
  EXPECT_EQ(default_shape("replicated-csc", 6), (GridShape{6, 1}));
  EXPECT_EQ(default_shape("simple", 6), (GridShape{1, 6}));
  EXPECT_EQ(default_shape("one-sided", 6), (GridShape{1, 6}));
  EXPECT_EQ(default_shape("two-dim", 6), (GridShape{2, 3}));
  EXPECT_EQ(default_shape("hybrid", 16), (GridShape{16, 1}));
  EXPECT_EQ(default_shape("hybrid", 20), (GridShape{5, 4}));
  EXPECT_EQ(default_shape("hybrid", 17), (GridShape{17, 1}));
  EXPECT_NO_THROW(require_shape("two-dim", {6, 1}));
  EXPECT_NO_THROW(require_shape("simple", {1, 6}));
  try {
    require_shape("simple", {2, 3});
    ADD_FAILURE() << "simple has one grid row";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "the plan simple has the grid 1x6 on 6 ranks, not 2x3; leave --grid out");
  }
}

TEST(Switches, SayHowTasksRun) {
  const Switches own = default_switches("two-dim");
  Switches collective = own;
  collective.exchange = ExchangeKind::sparse;
  EXPECT_EQ(tasks_of("two-dim", own, {2, 2}, 2), "side_by_side");
  EXPECT_EQ(tasks_of("two-dim", own, {2, 2}, 1), "in_turn");
  EXPECT_EQ(tasks_of("two-dim", own, {4, 1}, 2), "");         // nothing is folded
  EXPECT_EQ(tasks_of("two-dim", collective, {2, 2}, 2), "");  // an exchange has no tasks
  EXPECT_EQ(tasks_of("simple", default_switches("simple"), {1, 4}, 2), "");
}

}  // namespace
}  // namespace isobath
