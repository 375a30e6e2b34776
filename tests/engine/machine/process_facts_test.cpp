// SPDX-License-Identifier: Apache-2.0
#include "machine/process_facts.hpp"

#include <regex>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(ProcessFacts, PeakBytesGrowWithTouchedMemory) {
  const std::int64_t before = peak_bytes();
  ASSERT_GT(before, 0);
  const std::vector<char> touched(std::size_t{64} << 20, 'x');
  EXPECT_GE(peak_bytes(), before + (std::int64_t{32} << 20));
  EXPECT_EQ(touched.back(), 'x');
}

TEST(ProcessFacts, TouchedPagesAreFaults) {
  const std::int64_t before = page_faults();
  const std::vector<char> touched(std::size_t{64} << 20, 'x');
  EXPECT_GT(page_faults(), before);
  EXPECT_EQ(touched.back(), 'x');
}

TEST(ProcessFacts, TheClockHasASmallStep) {
  EXPECT_GT(clock_resolution_seconds(), 0);
  EXPECT_LT(clock_resolution_seconds(), 1e-2);
}

TEST(ProcessFacts, TheTimeIsWrittenInUtc) {
  EXPECT_TRUE(std::regex_match(utc_now(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << utc_now();
}

TEST(ProcessFacts, TheHostKeyTellsMoreThanTheName) {
  EXPECT_EQ(host_key().find(hostname()), 0U);
  EXPECT_EQ(host_key(), host_key());
}

}  // namespace
}  // namespace isobath
