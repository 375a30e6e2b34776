// SPDX-License-Identifier: Apache-2.0
// From an exception on one rank to the exit code of the launcher.
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

TEST(RunMainAgreement, WorksWithoutALauncher) {
  EXPECT_EQ(ending_of(0, "internal 0").code, 4);
  EXPECT_EQ(ending_of(0, "usage").code, 2);
}

}  // namespace
}  // namespace isobath
