// SPDX-License-Identifier: Apache-2.0
// Every plan, as users start it, with OMP_NUM_THREADS=2 on each of two ranks: construction, searches and
// validation. The other tests under the address sanitizer leave threads at one.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "bfs/switches.hpp"
#include "running_program.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;

constexpr int scale = 8;

/// Vertices that a search from each key reaches, by the reference program.
std::vector<std::int64_t> golden_reached(std::size_t keys) {
  std::ifstream file(ISOBATH_TEST_DATA "/graph500.jsonl");
  std::vector<std::int64_t> reached;
  std::string line;
  while (std::getline(file, line)) {
    const Json facts = Json::parse(line);
    if (facts.at("scale") != scale) continue;
    for (std::size_t k = 0; k < keys; ++k) reached.push_back(facts.at("searches").at(k).at("reached"));
  }
  return reached;
}

class TwoThreads : public testing::TestWithParam<std::string> {
 protected:
  FileTree tree_;
};

TEST_P(TwoThreads, FindWhatTheReferenceProgramFinds) {
  const std::string words = "--scale " + std::to_string(scale) + " --keys 3 --warmup 0 " + GetParam() +
                            " --record " + tree_.path("r");

  const test::Ending ending =
      test::run(test::graph500(2, words), tree_.root(), {"OMP_NUM_THREADS=2", "OMP_WAIT_POLICY=passive"});

  ASSERT_EQ(ending.code, 0) << ending.errors;
  std::istringstream records(tree_.read("r"));
  std::vector<std::int64_t> reached;
  std::string line;
  while (std::getline(records, line)) {
    const Json record = Json::parse(line);
    if (record.at("kind") == "run") {
      EXPECT_EQ(record.at("threads_per_rank"), 2);
    }
    if (record.at("kind") != "search") continue;
    EXPECT_EQ(record.at("validation").at("passed"), true);
    reached.push_back(record.at("vertices_reached"));
  }
  EXPECT_EQ(reached, golden_reached(3));
}

std::vector<std::string> plans() {
  std::vector<std::string> words;
  for (const std::string& plan : plan_names()) words.push_back("--plan " + std::string(plan));
  for (const std::string& plan : path_plan_names()) {
    words.push_back("--kernel sssp --sssp-plan " + std::string(plan));
  }
  return words;
}

INSTANTIATE_TEST_SUITE_P(EveryPlan, TwoThreads, testing::ValuesIn(plans()));

}  // namespace
}  // namespace isobath
