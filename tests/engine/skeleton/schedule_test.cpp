// SPDX-License-Identifier: Apache-2.0
#include "skeleton/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace isobath::skeleton {
namespace {

constexpr Shape grid{.ranks = 6, .rows = 2, .columns = 3};
const std::string first_lines = "isobath-schedule 1\ngrid 2 3\n";

Schedule schedule_of(const std::string& text, int rank, int ranks = grid.ranks) {
  std::istringstream stream(text);
  return read_schedule(stream, "file", rank, ranks);
}

std::string refusal_of(const std::string& text, int rank = 0, int ranks = grid.ranks) {
  try {
    schedule_of(text, rank, ranks);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

/// The ranks of a rank's communicator in order, by a look at all ranks.
std::vector<int> members_with(Along along, int rank) {
  std::vector<int> members;
  for (int other = 0; other < grid.ranks; ++other) {
    const bool is_same_row = other % grid.rows == rank % grid.rows;
    const bool is_same_column = other / grid.rows == rank / grid.rows;
    if (along == Along::world || (along == Along::row ? is_same_row : is_same_column))
      members.push_back(other);
  }
  return members;
}

using Sent =
    std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>>;  // from, to: units, messages

void expect_parcels(const Sent& sent, const Step& step, int rank, const std::string& what) {
  const std::vector<int> members = members_with(step.along, rank);
  ASSERT_EQ(step.to.size(), members.size()) << what;
  ASSERT_EQ(step.from.size(), members.size()) << what;
  const auto look_up = [&](int from, int to) {
    const auto found = sent.find({from, to});
    return found == sent.end() ? std::pair<std::int64_t, std::int64_t>{} : found->second;
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(std::pair(step.to[i].units, step.to[i].messages), look_up(rank, members[i])) << what << i;
    EXPECT_EQ(std::pair(step.from[i].units, step.from[i].messages), look_up(members[i], rank)) << what << i;
  }
}

TEST(Schedule, GroupsAreThoseOfALookAtAllRanks) {
  for (const Along along : {Along::world, Along::row, Along::column}) {
    for (int rank = 0; rank < grid.ranks; ++rank) {
      const std::vector<int> members = members_with(along, rank);
      const Group group = group_of(grid, along, rank);
      ASSERT_EQ(group.size, std::ssize(members));
      EXPECT_EQ(group.rank_of(group.place), rank);
      for (int i = 0; i < group.size; ++i) EXPECT_EQ(group.rank_of(i), members[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(Schedule, EveryRankReadsItsPartOfRandomPairs) {
  std::mt19937 random(20);
  for (int round = 0; round < 60; ++round) {
    const auto along = static_cast<Along>(round % 3);
    const int piece = round % 4 == 0 ? 0 : round % 4 * 5;
    Sent sent;
    std::ostringstream text;
    const Call call = round % 5 == 0 ? Call::isend_all : Call::isend;
    text << first_lines << "step " << round - 1 << " fold " << name_of(call) << ' ' << name_of(along) << " 8 "
         << piece << " 2 " << round % 2 << "\n";
    for (int i = 0; i < 20; ++i) {
      const int from = static_cast<int>(random() % 6);
      const std::vector<int> members = members_with(along, from);
      const int to = members[random() % members.size()];
      if (to == from) continue;
      const auto units = static_cast<std::int64_t>(random() % 40);
      const std::int64_t messages = piece > 0 ? (units + piece - 1) / piece : (units > 0 ? 1 + units / 7 : 0);
      text << "pair " << from << ' ' << to << ' ' << units << ' ' << messages << "\n";
      sent[{from, to}] = {units, messages};  // the last of two counts
    }
    text << "end\n";
    for (int rank = 0; rank < grid.ranks; ++rank) {
      const Schedule schedule = schedule_of(text.str(), rank);
      ASSERT_EQ(schedule.steps.size(), 1U);
      const Step& step = schedule.steps[0];
      EXPECT_EQ(step.level, round - 1);
      EXPECT_EQ(step.phase, "fold");
      EXPECT_EQ(step.call, call);
      EXPECT_EQ(step.along, along);
      EXPECT_EQ(step.unit, 8);
      EXPECT_EQ(step.piece, piece);
      EXPECT_EQ(step.window, 2);
      EXPECT_EQ(step.ends, round % 2 == 1);
      expect_parcels(sent, step, rank, std::to_string(round) + " " + std::to_string(rank) + ": ");
    }
  }
}

TEST(Schedule, ShortFormsStandForAllTheirPairs) {
  for (const Along along : {Along::world, Along::row, Along::column}) {
    const std::string step = "step 0 p alltoallv " + std::string(name_of(along)) + " 1 0 0 0\n";
    for (int rank = 0; rank < grid.ranks; ++rank) {
      Sent each;
      Sent next;
      for (int from = 0; from < grid.ranks; ++from) {
        const std::vector<int> members = members_with(along, from);
        const auto place = static_cast<std::size_t>(std::ranges::find(members, from) - members.begin());
        for (const int to : members) each[{from, to}] = {9, 2};
        next[{from, members[(place + 1) % members.size()]}] = {7, 1};
      }
      const Schedule read =
          schedule_of(first_lines + step + "each 9 2\nend\n" + step + "next 7 1\nend\n", rank);
      ASSERT_EQ(read.steps.size(), 2U);
      expect_parcels(each, read.steps[0], rank, "each ");
      expect_parcels(next, read.steps[1], rank, "next ");
    }
  }
}

TEST(Schedule, WhatOneRankGivesOrTellsStandsAtItsPlace) {
  for (int rank = 0; rank < grid.ranks; ++rank) {
    const Schedule read =
        schedule_of(first_lines +
                        "step 0 p allgatherv row 4 0 0 0\nrank 1 5 1\nrank 2 6 1\nrank 5 8 2\nend\n"
                        "step 0 p bcast world 4 0 0 0\nroot 4 3 1\nend\n",
                    rank);
    const std::map<int, std::int64_t> given = {{1, 5}, {2, 6}, {5, 8}};
    const std::vector<int> members = members_with(Along::row, rank);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto units = given.find(members[i]);
      EXPECT_EQ(read.steps[0].to[i].units, units == given.end() ? 0 : units->second) << rank << " " << i;
    }
    EXPECT_EQ(read.steps[1].root, 4);
    EXPECT_EQ(read.steps[1].to[4].units, 3);
  }
}

TEST(Schedule, SecondsAreThoseOfAllOrOfOne) {
  const std::string text =
      first_lines + "step -1 p compute world 1 0 0 0\nseconds 0.5\nseconds_of 3 1e-3\nend\n";
  for (int rank = 0; rank < grid.ranks; ++rank) {
    EXPECT_EQ(schedule_of(text, rank).steps[0].seconds, rank == 3 ? 1e-3 : 0.5);
  }
}

TEST(Schedule, MessagesOfAParcelMakeItsUnits) {
  for (std::int64_t units = 1; units <= 30; ++units) {
    for (std::int64_t messages = 1; messages <= units; ++messages) {
      std::vector<std::int64_t> sizes;
      for (std::int64_t i = 0; i < messages; ++i) sizes.push_back(units_of_message({units, messages}, 0, i));
      std::int64_t sum = 0;
      for (const std::int64_t size : sizes) sum += size;
      EXPECT_EQ(sum, units);
      EXPECT_TRUE(std::ranges::is_sorted(sizes, std::greater<>()));
      EXPECT_LE(sizes.front() - sizes.back(), 1);
    }
    for (std::int64_t piece = 1; piece <= 9; ++piece) {
      std::int64_t left = units;
      const std::int64_t messages = (units + piece - 1) / piece;
      for (std::int64_t i = 0; i < messages; ++i) {
        const std::int64_t size = units_of_message({units, messages}, piece, i);
        EXPECT_EQ(size, std::min(piece, left));
        left -= size;
      }
      EXPECT_EQ(left, 0);
    }
  }
}

TEST(Schedule, SaysInWhichLineWhatIsWrong) {
  EXPECT_EQ(refusal_of(""), "file, line 1: it does not begin with 'isobath-schedule 1'");
  EXPECT_EQ(refusal_of("isobath-schedule 2\n"), "file, line 1: it does not begin with 'isobath-schedule 1'");
  EXPECT_EQ(refusal_of("isobath-schedule 1\ngrid 2 0\n"),
            "file, line 2: the number of columns is 0; it must be 1 to 2147483647");
  EXPECT_EQ(refusal_of("isobath-schedule 1\ngrid 2 3 1\n"), "file, line 2: '1' is one word too many");
  EXPECT_EQ(refusal_of(first_lines, 0, 4), "file, line 2: it is for 6 ranks, and 4 were started");
  EXPECT_EQ(refusal_of(first_lines), "file, line 3: it has no step");
  const std::map<std::string, std::string> steps = {
      {"stop 0", "a step begins with the word step"},
      {"step -2 p isend world 1 0 0 0", "the level is -2; it must be -1 to 2147483647"},
      {"step x p isend world 1 0 0 0", "the level is no whole number"},
      {"step 0", "the phase is missing"},
      {"step 0 p recv world 1 0 0 0", "there is no call 'recv'"},
      {"step 0 p isend diagonal 1 0 0 0", "there is no communicator 'diagonal'"},
      {"step 0 p isend world 3 0 0 0", "a unit has 1, 2, 4, 8, 16 or 32 bytes"},
      {"step 0 p isend world 64 0 0 0", "the size of a unit is 64; it must be 1 to 32"},
      {"step 0 p isend world 1 0 0 2", "the word of empty messages is 2; it must be 0 to 1"},
  };
  for (const auto& [line, why] : steps) {
    EXPECT_EQ(refusal_of(first_lines + line + "\nend\n"), "file, line 3: " + why) << line;
  }
  const std::map<std::string, std::string> parts = {
      {"nothing", "there is no part 'nothing' of a step"},
      {"seconds -1", "the seconds are no number of 0 or more"},
      {"seconds_of 6 1", "the rank is 6; it must be 0 to 5"},
      {"each 5 0", "5 units do not make 0 messages"},
      {"each 0 1", "0 units do not make 1 messages"},
      {"each 2 3", "2 units do not make 3 messages"},
      {"each 1 1 1", "'1' is one word too many"},
      {"pair 0 1 1 1", "ranks 0 and 1 are no pair of the communicator row"},
      {"pair 2 2 1 1", "ranks 2 and 2 are no pair of the communicator row"},
      {"root 1 1 1", "the root is not in the communicator"},
      {"each 2147483648 1", "the number of units is 2147483648; it must be 0 to 2147483647"},
  };
  for (const auto& [line, why] : parts) {
    EXPECT_EQ(refusal_of(first_lines + "step 0 p isend row 1 0 0 0\n" + line + "\nend\n"),
              "file, line 4: " + why)
        << line;
  }
  EXPECT_EQ(refusal_of(first_lines + "step 0 p isend row 1 4 0 0\npair 0 2 9 2\nend\n"),
            "file, line 4: 9 units do not make 2 messages");
  EXPECT_EQ(refusal_of(first_lines + "step 0 p isend row 1 0 0 0\nnext 1 1\n"),
            "file, line 5: the step has no end");
}

}  // namespace
}  // namespace isobath::skeleton
