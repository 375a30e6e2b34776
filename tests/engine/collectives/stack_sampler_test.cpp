// SPDX-License-Identifier: Apache-2.0
#include "collectives/stack_sampler.hpp"

#include <math.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "collectives/function_names.hpp"

namespace isobath {
namespace {

/// Keeps a function of a library busy. @returns its results, so that nobody leaves it out
double compute_for(std::chrono::milliseconds time) {
  double sum = 0;
  const auto end = std::chrono::steady_clock::now() + time;
  for (int i = 1; std::chrono::steady_clock::now() < end; ++i) sum += jn(20'000, 15'000.0 + i % 100);
  return sum;
}

std::uintptr_t address(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }  // NOLINT

TEST(FunctionNames, KnowsExportedFunctionsByNameAndItsOwnProgram) {
  FunctionNames names;
  const std::uintptr_t begin = FunctionNames::begin_of(address(&std::abort) + 1);

  EXPECT_EQ(begin, address(&std::abort));
  EXPECT_EQ(names.name(begin), "abort");
  EXPECT_FALSE(FunctionNames::is_own(begin));
  EXPECT_TRUE(FunctionNames::is_own(reinterpret_cast<std::uintptr_t>(&compute_for)));  // NOLINT
}

TEST(FunctionNames, CallsAFunctionWithoutANameByItsLibraryAndPlace) {
  FunctionNames names;

  const std::string name = names.name(address(&std::abort) + 1);

  EXPECT_TRUE(name.find("+0x") != std::string::npos) << name;
}

TEST(StackSampler, FindsTheFunctionsOfLibrariesThatTheProgramIsInside) {
  StackSampler sampler;
  compute_for(std::chrono::milliseconds(200));
  const StackSamples found = sampler.stop();
  compute_for(std::chrono::milliseconds(5));  // nobody looks any more: no signal is left

  ASSERT_GT(found.samples, 0);
  int of_the_library = 0;
  for (const auto& [name, samples] : found.functions) {
    EXPECT_LE(samples, found.samples) << name;
    EXPECT_EQ(name.find("compute_for"), std::string::npos) << "own functions are left out";
    // The library has it under inner names: __jn_finite, which asks __j1_finite.
    if (name.find("jn") != std::string::npos || name.find("libm.") == 0) of_the_library += samples;
  }
  EXPECT_GT(2 * of_the_library, found.samples);
}

TEST(StackSampler, LooksAwayAsLongAsItIsPaused) {
  StackSampler sampler;
  sampler.pause();
  compute_for(std::chrono::milliseconds(50));
  sampler.resume();
  sampler.pause();
  EXPECT_EQ(sampler.stop().samples, 0);

  StackSampler again;
  again.pause();
  again.resume();
  compute_for(std::chrono::milliseconds(200));
  EXPECT_GT(again.stop().samples, 0);
}

TEST(StackSampler, MayBeStartedAgain) {
  for (int i = 0; i < 3; ++i) {
    StackSampler sampler;
    compute_for(std::chrono::milliseconds(2));
    EXPECT_GE(sampler.stop().samples, 0);
    EXPECT_EQ(sampler.stop().samples, 0) << "there is nothing to stop";
  }
}

}  // namespace
}  // namespace isobath
