// SPDX-License-Identifier: Apache-2.0
#include "base/instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

class ChosenInstructionSet : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* const value = std::getenv(name)) before_ = value;
    unsetenv(name);
  }
  void TearDown() override { before_.empty() ? unsetenv(name) : setenv(name, before_.c_str(), 1); }

  static constexpr const char* name = "ISOBATH_INSTRUCTION_SET";

 private:
  std::string before_;
};

TEST_F(ChosenInstructionSet, ReadsWhatItWrites) {
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    EXPECT_EQ(parse_instruction_set(name_of(set)), set);
  }
  for (const char* text : {"", "AVX2", "sse", "avx"})
    EXPECT_THROW(parse_instruction_set(text), UsageError) << text;
}

TEST_F(ChosenInstructionSet, IsTheWidestThatRunsHere) {
  const std::vector<InstructionSet> sets = supported_instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), InstructionSet::portable);
  EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end()));
  EXPECT_EQ(best_instruction_set(), sets.back());
  if (is_supported(InstructionSet::avx512)) {
    EXPECT_TRUE(is_supported(InstructionSet::avx2));
  }
}

TEST_F(ChosenInstructionSet, FollowsTheEnvironment) {
  for (const InstructionSet set : supported_instruction_sets()) {
    setenv(name, std::string(name_of(set)).c_str(), 1);
    EXPECT_EQ(best_instruction_set(), set);
  }
  setenv(name, "", 1);
  EXPECT_EQ(best_instruction_set(), supported_instruction_sets().back());
  setenv(name, "mmx", 1);
  EXPECT_THROW(best_instruction_set(), UsageError);
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (is_supported(set)) continue;
    setenv(name, std::string(name_of(set)).c_str(), 1);
    EXPECT_THROW(best_instruction_set(), UsageError);
  }
}

TEST(Popcnt, IsAskedForWhereThisBuildCountsBitsByIt) {
  EXPECT_NO_THROW(require_popcnt());
  EXPECT_NO_THROW(require_popcnt(true));
#if defined(__POPCNT__)
  try {
    require_popcnt(false);
    FAIL() << "a processor without it was taken";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("lacks the instruction popcnt"), std::string::npos);
  }
#else
  EXPECT_NO_THROW(require_popcnt(false));
#endif
}

}  // namespace
}  // namespace isobath
