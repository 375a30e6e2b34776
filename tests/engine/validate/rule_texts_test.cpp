// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "validate/bfs_rules.hpp"
#include "validate/sssp_rules.hpp"

namespace isobath {
namespace {

TEST(BfsRuleTexts, NameEveryRuleOnceAndSayWhatItMeans) {
  std::set<std::string_view> names;
  std::set<std::string_view> meanings;
  for (std::size_t i = 0; i < num_bfs_rules; ++i) {
    names.insert(name_of(static_cast<BfsRule>(i)));
    meanings.insert(meaning_of(static_cast<BfsRule>(i)));
  }
  EXPECT_EQ(names.size(), num_bfs_rules);
  EXPECT_EQ(meanings.size(), num_bfs_rules);
  EXPECT_EQ(name_of(BfsRule::parent_range), "parent_range");
  EXPECT_EQ(name_of(BfsRule::traversed_edges), "traversed_edges");
}

TEST(SsspRuleTexts, NameEveryRuleOnceAndSayWhatItMeans) {
  std::set<std::string_view> names;
  std::set<std::string_view> meanings;
  for (std::size_t i = 0; i < num_sssp_rules; ++i) {
    names.insert(name_of(static_cast<SsspRule>(i)));
    meanings.insert(meaning_of(static_cast<SsspRule>(i)));
  }
  EXPECT_EQ(names.size(), num_sssp_rules);
  EXPECT_EQ(meanings.size(), num_sssp_rules);
  EXPECT_EQ(name_of(SsspRule::distance_range), "distance_range");
  EXPECT_EQ(name_of(SsspRule::traversed_edges), "traversed_edges");
}

TEST(SsspValidation, FailsWhenAnyRuleIsBroken) {
  EXPECT_TRUE(SsspValidation().passed());
  for (std::size_t i = 0; i < num_sssp_rules; ++i) {
    SsspValidation validation;
    validation.rules[i] = {1, GlobalVertex{3}, GlobalVertex{4}};

    EXPECT_FALSE(validation.passed());
    EXPECT_NE(validation.first_violation().find(std::string(name_of(static_cast<SsspRule>(i)))),
              std::string::npos);
  }
}

TEST(BfsValidation, FailsWhenAnyRuleIsBroken) {
  EXPECT_TRUE(BfsValidation().passed());
  for (std::size_t i = 0; i < num_bfs_rules; ++i) {
    BfsValidation validation;
    validation.rules[i] = {1, GlobalVertex{3}, GlobalVertex{4}};

    EXPECT_FALSE(validation.passed());
    EXPECT_NE(validation.first_violation().find(std::string(name_of(static_cast<BfsRule>(i)))),
              std::string::npos);
  }
}

}  // namespace
}  // namespace isobath
