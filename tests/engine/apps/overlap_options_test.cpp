// SPDX-License-Identifier: Apache-2.0
#include "apps/overlap_options.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

CommandLine<OverlapOptions> read_overlap(const std::string& arguments) {
  std::vector<std::string> words = {"isobath-overlap"};
  std::istringstream text(arguments);
  std::string word;
  while (text >> word) words.push_back(word);
  std::vector<const char*> argv;
  for (const std::string& each : words) argv.push_back(each.c_str());
  return read_overlap_command_line(static_cast<int>(argv.size()), argv.data());
}

/// The sentence that refuses these arguments; empty where they are taken.
std::string overlap_refusal_of(const std::string& arguments) {
  try {
    read_overlap(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(OverlapOptions, AreRead) {
  const OverlapOptions read =
      read_overlap(
          "--collectives bcast,barrier --sizes 8,1024 --progress tests,offload --aggregators 2 --tests 0,5 "
          "--work scan --ratios 0.5 --reference bcast:8=900.5 --unit scan=3000 --alignment roundtime")
          .options;
  EXPECT_EQ(read.sweep.collectives, (std::vector<std::string>{"bcast", "barrier"}));
  EXPECT_EQ(read.sweep.sizes, (std::vector<std::int64_t>{8, 1024}));
  EXPECT_EQ(read.sweep.modes, (std::vector<ProgressMode>{ProgressMode::tests, ProgressMode::offload}));
  EXPECT_EQ(read.sweep.works, std::vector<WorkKind>{WorkKind::scan});
  EXPECT_EQ(read.sweep.tests, (std::vector<int>{0, 5}));
  EXPECT_EQ(read.references.at({"bcast", 8}), 900.5);
  EXPECT_EQ(read.units.at(WorkKind::scan), 3000);
  EXPECT_EQ(read.alignment, Alignment::round_time);
  EXPECT_EQ(read_overlap("--collectives all").options.sweep.collectives.size(), 17U);
}

TEST(OverlapOptions, AnswersStop) {
  EXPECT_NE(read_overlap("--list").answer.value().find("reduce_scatter_block\n"), std::string::npos);
  EXPECT_TRUE(read_overlap("--version").answer.has_value());
  EXPECT_TRUE(read_overlap("--help").answer.has_value());
}

TEST(OverlapOptions, RefuseWhatMeansNothing) {
  EXPECT_EQ(overlap_refusal_of(""), "");
  for (const char* const wrong :
       {"--collectives gossip", "--progress magic", "--work sleep", "--sizes 7", "--tests -1", "--ratios 0",
        "--reference bcast", "--reference bcast:8", "--reference bcast:x=3", "--reference bcast:8=0",
        "--reference bcast:8=1e", "--reference gossip:8=3", "--unit scan", "--unit scan=", "--unit sleep=2",
        "--alignment soon", "--trees 0", "--nothing"}) {
    EXPECT_NE(overlap_refusal_of(wrong), "") << wrong;
  }
  EXPECT_NE(overlap_refusal_of("--progress offload").find("--aggregators"), std::string::npos);
}

}  // namespace
}  // namespace isobath
