// SPDX-License-Identifier: Apache-2.0
// From an exception on one rank to the exit code of the launcher.
#include <csignal>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "../record/file_tree.hpp"
#include "running_program.hpp"

namespace isobath {
namespace {

test::Ending ending_of(int ranks, const std::string& arguments) {
  const FileTree tree;
  return test::run(test::launched(ranks, ISOBATH_THROWING_PROGRAM, arguments), tree.root());
}

/// What the ranks said; launchers may add words of their own (Open MPI's does).
std::string engine_lines(const std::string& errors) {
  std::istringstream lines(errors);
  std::string said;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("isobath")) said += line + "\n";
  }
  return said;
}

struct Case {
  const char* kind;
  int code;
  const char* sentence;
};

class RunMain : public testing::TestWithParam<Case> {};

TEST_P(RunMain, TurnsAnExceptionIntoAnExitCode) {
  for (const int rank : {0, 1}) {
    const test::Ending ending = ending_of(2, std::string(GetParam().kind) + " " + std::to_string(rank));
    EXPECT_EQ(ending.code, GetParam().code) << ending.errors;
    EXPECT_NE(ending.errors.find("isobath: rank " + std::to_string(rank) + " of 2: " + GetParam().sentence),
              std::string::npos)
        << ending.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, RunMain,
                         testing::Values(Case{"environment", 3, "the disk is gone"},
                                         Case{"internal", 4, "one and one is three"},
                                         Case{"refused", 8, "this would not fit"},
                                         Case{"timeout", 7, "nobody came"},
                                         Case{"memory", 3, "the system refused memory"},
                                         Case{"foreign", 4, "somebody else's words"}));

TEST(RunMainAgreement, NoAggregatorStaysBehindWorkersThatLeave) {
  const test::Ending ending = ending_of(3, "workers");
  EXPECT_EQ(ending.code, 2) << "minus the signal: it waited for orders until it was killed";
  EXPECT_EQ(engine_lines(ending.errors), "isobath: rank 0 of 3: 2 workers cannot do this\n");
}

TEST(RunMainAgreement, WrongUseIsSaidOnceAndAllLeaveInPeace) {
  const test::Ending ending = ending_of(3, "usage");
  EXPECT_EQ(ending.code, 2);
  EXPECT_EQ(engine_lines(ending.errors), "isobath: rank 0 of 3: this makes no sense\n");
}

TEST(RunMainAgreement, AProgramsOwnCodeIsPassedOn) {
  EXPECT_EQ(ending_of(0, "none").code, 0);
  EXPECT_EQ(ending_of(2, "none").code, 0);
  EXPECT_EQ(ending_of(2, "violations").code, 1);
  EXPECT_EQ(ending_of(0, "violations").code, 1);
}

/// Starts the program, waits until its ranks run, and asks them to stop.
test::Ending ending_when_told(int ranks, const std::string& arguments, int signal_number) {
  const FileTree tree;
  test::RunningProgram program(test::launched(ranks, ISOBATH_THROWING_PROGRAM, arguments), tree.root(),
                               {"ISOBATH_STOP_SECONDS=1"});
  EXPECT_TRUE(program.wait_for([&] { return tree.read("stderr").find("ready") != std::string::npos; }));
  program.send(signal_number);
  return program.end();
}

TEST(RunMainStop, ARankThatHangsEndsItselfAndSaysWhereItIs) {
  for (const int number : {SIGTERM, SIGINT}) {
    const test::Ending ending = ending_when_told(0, "hang 0", number);
    EXPECT_EQ(ending.code, 3);
    EXPECT_NE(ending.errors.find(
                  "isobath: rank 0 of 1: was asked to stop and made no progress for 1 s: phase start\n"),
              std::string::npos)
        << ending.errors;
  }
}

/// The launcher hands the signal on; ranks in a call that never returns end as well. Open MPI ends them
/// itself.
TEST(RunMainStop, RanksThatWaitForOneThatHangsEndToo) {
  const test::Ending ending = ending_when_told(2, "hang 1", SIGTERM);
  EXPECT_NE(ending.code, 0);
  if (ending.code != 3) return;
  EXPECT_NE(
      ending.errors.find(" of 2: was asked to stop and made no progress for 1 s: phase start, last call "
                         "MPI_Barrier\n"),
      std::string::npos)
      << ending.errors;
}

TEST(RunMainStop, ARankThatMakesProgressEndsAsItWants) {
  EXPECT_EQ(ending_when_told(0, "busy", SIGTERM).code, 1);
}

TEST(RunMainStop, TheTimeIsANumber) {
  for (const std::string wrong : {"soon", "0", "-1", "3s", "nan", "inf"}) {
    const FileTree tree;
    const test::Ending ending = test::run(test::launched(0, ISOBATH_THROWING_PROGRAM, "none"), tree.root(),
                                          {"ISOBATH_STOP_SECONDS=" + wrong});
    EXPECT_EQ(ending.code, 2) << wrong;
    EXPECT_NE(
        ending.errors.find("ISOBATH_STOP_SECONDS is '" + wrong + "'; set it to a number of seconds above 0"),
        std::string::npos)
        << ending.errors;
  }
}

TEST(RunMainAgreement, WorksWithoutALauncher) {
  EXPECT_EQ(ending_of(0, "internal 0").code, 4);
  EXPECT_EQ(ending_of(0, "usage").code, 2);
}

}  // namespace
}  // namespace isobath
