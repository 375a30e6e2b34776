// SPDX-License-Identifier: Apache-2.0
// isobath-krylov as users start it.
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "running_program.hpp"

namespace isobath {
namespace {

class KrylovProgramTest : public testing::Test {
 protected:
  test::Ending start(int ranks, const std::string& arguments) {
    return test::run(test::launched(ranks, ISOBATH_KRYLOV_PROGRAM,
                                    arguments + " --threads 1 --record " + tree_.path("records.jsonl")),
                     tree_.root());
  }
  std::vector<nlohmann::json> records() const {
    std::ifstream file(tree_.path("records.jsonl"));
    std::vector<nlohmann::json> found;
    for (std::string line; std::getline(file, line);) found.push_back(nlohmann::json::parse(line));
    return found;
  }
  FileTree tree_;
};

TEST_F(KrylovProgramTest, PartsOfEveryCellAddUpToItsSolves) {
  const test::Ending ending =
      start(2, "--elements 24 --iterations 12 --repetitions 3 --progress library,tests --tests 2 --launch 4");
  ASSERT_EQ(ending.code, 0) << ending.errors;
  const std::vector<nlohmann::json> lines = records();
  ASSERT_EQ(lines.size(), 9U);  // the launch; blocking of four; two ways of two
  EXPECT_EQ(lines[0].at("program"), "isobath-krylov");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const nlohmann::json& line = lines[i];
    EXPECT_EQ(line.at("data_check"), "passed");
    EXPECT_EQ(line.at("launch"), 4);
    EXPECT_EQ(line.at("norms").size(), 12U);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      for (std::size_t repetition = 0; repetition < 3; ++repetition) {
        std::int64_t parts = 0;
        for (const auto& part : line.at("parts")) parts += part.at(rank).at(repetition).get<std::int64_t>();
        const auto solve =
            line.at("solve").at("rank_nanoseconds").at(rank).at(repetition).get<std::int64_t>();
        EXPECT_LE(parts, solve + 2000);
        EXPECT_GE(parts, solve / 2);
      }
    }
  }
}

TEST_F(KrylovProgramTest, OffloadGoesTheSameWay) {
  const test::Ending ending =
      start(3,
            "--elements 16 --methods gropp,pipelined --iterations 8 --repetitions 2 --progress offload "
            "--aggregators 1");
  ASSERT_EQ(ending.code, 0) << ending.errors;
  const std::vector<nlohmann::json> lines = records();
  ASSERT_EQ(lines.size(), 5U);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].at("ranks"), 2);
    EXPECT_EQ(lines[i].at("data_check"), "passed");
  }
}

TEST_F(KrylovProgramTest, TooManyIterationsAreWrongUse) {
  const test::Ending ending = start(2, "--elements 6 --iterations 200");
  EXPECT_EQ(ending.code, 2);
  EXPECT_NE(ending.errors.find("the residual came down to rounding after"), std::string::npos)
      << ending.errors;
}

}  // namespace
}  // namespace isobath
