// SPDX-License-Identifier: Apache-2.0
#include "apps/search_options.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

SearchOptions read_search(const std::string& arguments) {
  std::vector<std::string> words = {"isobath-search"};
  std::istringstream text(arguments);
  std::string word;
  while (text >> word) words.push_back(word);
  std::vector<const char*> argv;
  for (const std::string& each : words) argv.push_back(each.c_str());
  return read_search_command_line(static_cast<int>(argv.size()), argv.data()).options;
}

/// The sentence that refuses these arguments; empty where they are taken.
std::string search_refusal_of(const std::string& arguments) {
  try {
    read_search(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(SearchOptions, TakeTheSwitchesOfTheirPlan) {
  const SearchOptions usual = read_search("a.el");
  EXPECT_TRUE(usual.switches.relabel);
  EXPECT_TRUE(usual.switches.leaves_out);
  EXPECT_TRUE(usual.switches.streams);
  EXPECT_EQ(usual.switches.direction, DirectionRule::policy);
  EXPECT_TRUE(usual.huge_pages);

  const SearchOptions other =
      read_search("a.el --relabel off --leaves in --streams off --direction top-down --huge-pages off");
  EXPECT_FALSE(other.switches.relabel);
  EXPECT_FALSE(other.switches.leaves_out);
  EXPECT_FALSE(other.switches.streams);
  EXPECT_EQ(other.switches.direction, DirectionRule::top_down);
  EXPECT_FALSE(other.huge_pages);

  EXPECT_FALSE(read_search("a.el --plan two-dim").switches.relabel);
  EXPECT_EQ(read_search("a.el --ids file").ids_file, "file");  // here a file, no switch
}

TEST(SearchOptions, RefuseWhatMeansNothing) {
  EXPECT_EQ(search_refusal_of("a.el --direction bottom-up"), "");
  EXPECT_NE(search_refusal_of("").find("there is no graph"), std::string::npos);
  EXPECT_NE(search_refusal_of("a.el --direction sideways").find("sideways"), std::string::npos);
  EXPECT_NE(search_refusal_of("a.el --plan two-dim --streams on").find("two-dim"), std::string::npos);
  EXPECT_NE(search_refusal_of("a.el --huge-pages maybe").find("maybe"), std::string::npos);
}

}  // namespace
}  // namespace isobath
