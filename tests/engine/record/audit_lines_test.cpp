// SPDX-License-Identifier: Apache-2.0
#include "record/audit_lines.hpp"

#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace isobath {
namespace {

std::vector<AuditedSearch> audited_searches(const std::string& text) {
  std::istringstream lines(text);
  return read_audited_searches(lines, "searches.jsonl");
}

std::string audit_refusal(const std::string& text) {
  try {
    audited_searches(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(AuditLines, ReadsASearchOfEachLine) {
  const auto searches = audited_searches(
      "{\"search\":0,\"root\":5,\"directions\":[\"top_down\",\"bottom_up\",\"top_down\"]}\n"
      "\n \t\r\n"
      "{\"root\":17179869184,\"search\":3,\"more\":1}\r\n"
      "{\"search\":1,\"root\":0,\"directions\":[]}");
  ASSERT_EQ(searches.size(), 3U);
  EXPECT_EQ(searches[0].search, 0);
  EXPECT_EQ(searches[0].root, 5);
  EXPECT_EQ(searches[0].bottom_up, (std::vector<char>{0, 1, 0}));
  EXPECT_EQ(searches[1].search, 3);
  EXPECT_EQ(searches[1].root, std::int64_t{1} << 34);
  EXPECT_TRUE(searches[1].bottom_up.empty());
  EXPECT_TRUE(searches[2].bottom_up.empty());
  EXPECT_TRUE(audited_searches("").empty());
}

TEST(AuditLines, NamesTheLineAndWhatIsWrong) {
  const std::string good = "{\"search\":0,\"root\":5}\n";
  const std::string begin = "line 3 of searches.jsonl is no search to audit: ";
  for (const char* line : {"{\"search\":0,\"root\":", "[0,5]", "5", "null"}) {
    EXPECT_EQ(audit_refusal(good + "\n" + line), begin + "it is no JSON object") << line;
  }
  for (const char* line : {"{\"root\":5}", "{\"search\":-1,\"root\":5}", "{\"search\":\"0\",\"root\":5}",
                           "{\"search\":0.5,\"root\":5}"}) {
    EXPECT_EQ(audit_refusal(good + "\n" + line), begin + "it needs \"search\", a number from 0") << line;
  }
  EXPECT_EQ(audit_refusal(good + "\n{\"search\":0,\"root\":-5}"),
            begin + "it needs \"root\", a number from 0");
  for (const char* line :
       {"{\"search\":0,\"root\":5,\"directions\":[\"top_down\",\"sideways\"]}",
        "{\"search\":0,\"root\":5,\"directions\":[1]}", "{\"search\":0,\"root\":5,\"directions\":\"up\"}"}) {
    EXPECT_EQ(audit_refusal(good + "\n" + line), begin + "its directions are \"top_down\" or \"bottom_up\"")
        << line;
  }
}

TEST(AuditLines, ALineAddsUpTheBytesOfAllRanks) {
  const std::string line = to_json({.search = 2,
                                    .level = -1,
                                    .phase = Phase::expand,
                                    .audit_class = 'b',
                                    .bytes_of_rank = {std::int64_t{1} << 40, 0, 7}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("search"), 2);
  EXPECT_EQ(json.at("level"), -1);
  EXPECT_EQ(json.at("phase"), "expand");
  EXPECT_EQ(json.at("audit_class"), "b");
  EXPECT_EQ(json.at("bytes"), (std::int64_t{1} << 40) + 7);
  EXPECT_EQ(json.at("bytes_of_rank"), nlohmann::json({std::int64_t{1} << 40, 0, 7}));
  EXPECT_EQ(json.size(), 6U);
  EXPECT_EQ(nlohmann::json::parse(to_json({})).at("bytes"), 0);
}

}  // namespace
}  // namespace isobath
