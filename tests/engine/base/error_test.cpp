// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/expects.hpp"
#include "base/narrow.hpp"

namespace isobath {
namespace {

TEST(Error, KnowsItsExitCode) {
  EXPECT_EQ(exit_code_of(UsageError("")), ExitCode::usage);
  EXPECT_EQ(exit_code_of(EnvironmentError("")), ExitCode::environment);
  EXPECT_EQ(exit_code_of(InternalError("")), ExitCode::internal);
  EXPECT_EQ(exit_code_of(RefusedError("")), ExitCode::refused);
  EXPECT_EQ(exit_code_of(Error(ExitCode::timeout, "")), ExitCode::timeout);
  EXPECT_EQ(exit_code_of(std::bad_alloc()), ExitCode::environment);
  EXPECT_EQ(exit_code_of(std::runtime_error("")), ExitCode::internal);
}

TEST(Error, HasTheCodesOfTheCommandLine) {
  EXPECT_EQ(static_cast<int>(ExitCode::done), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::violations), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::usage), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::environment), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::internal), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::timeout), 7);
  EXPECT_EQ(static_cast<int>(ExitCode::refused), 8);
}

TEST(Expects, SaysWhereAndWhat) {
  const int two = 2;
  EXPECT_NO_THROW(ISOBATH_EXPECTS(two == 2));
  try {
    ISOBATH_EXPECTS(two == 3);
    FAIL();
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("error_test.cpp:"), std::string::npos) << text;
    EXPECT_NE(text.find("expected two == 3; please report this"), std::string::npos) << text;
  }
}

TEST(Narrow, KeepsWhatFits) {
  EXPECT_EQ(narrow<std::uint8_t>(255), 255);
  EXPECT_EQ(narrow<std::int8_t>(-128), -128);
  EXPECT_EQ(narrow<std::int32_t>(std::int64_t{std::numeric_limits<std::int32_t>::max()}), 2147483647);
  EXPECT_EQ(narrow<std::uint32_t>(std::int64_t{4294967295}), 4294967295U);
  EXPECT_EQ(narrow<std::int64_t>(std::uint32_t{4294967295U}), 4294967295);
}

TEST(Narrow, RefusesWhatDoesNot) {
  EXPECT_THROW(narrow<std::uint8_t>(256), RefusedError);
  EXPECT_THROW(narrow<std::uint8_t>(-1), RefusedError);
  EXPECT_THROW(narrow<std::int8_t>(128), RefusedError);
  EXPECT_THROW(narrow<std::uint32_t>(std::int64_t{-1}), RefusedError);
  EXPECT_THROW(narrow<std::int64_t>(std::numeric_limits<std::uint64_t>::max()), RefusedError);
  try {
    narrow<std::int32_t>(std::int64_t{1} << 31, "the number of rows");
    FAIL();
  } catch (const RefusedError& error) {
    EXPECT_STREQ(
        error.what(),
        "the number of rows of 2147483648 exceeds an internal limit; use more ranks or a smaller scale");
  }
}

}  // namespace
}  // namespace isobath
