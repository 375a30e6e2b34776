// SPDX-License-Identifier: Apache-2.0
#include "graph500/official_rules.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

std::string refusal_of(const OfficialRequest& request) {
  try {
    check_official(request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(OfficialRules, ARightRequestPasses) {
  EXPECT_EQ(refusal_of({.scale = 16}), "");
  EXPECT_EQ(refusal_of({.scale = 26, .warmup_searches = 1}), "");
}

TEST(OfficialRules, EachRuleIsNamed) {
  EXPECT_NE(refusal_of({.scale = 20, .edgefactor = 8}).find("edgefactor 16"), std::string::npos);
  EXPECT_NE(refusal_of({.scale = 20, .keys = 16}).find("64 search keys"), std::string::npos);
  EXPECT_NE(refusal_of({.scale = 20, .roots_are_given = true}).find("--root"), std::string::npos);
  EXPECT_NE(refusal_of({.scale = 20, .validation = false}).find("--no-validation"), std::string::npos);
  EXPECT_NE(refusal_of({.scale = 20, .warmup_searches = 2}).find("warm-up"), std::string::npos);
  EXPECT_NE(refusal_of({.scale = 15}).find("scale 16"), std::string::npos);
}

TEST(OfficialRules, AnOversubscribedMachineIsRefused) {
  EXPECT_NO_THROW(check_official_machine(false));
  EXPECT_THROW(check_official_machine(true), UsageError);
}

}  // namespace
}  // namespace isobath
