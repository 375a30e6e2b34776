// SPDX-License-Identifier: Apache-2.0
// isobath-audit as its users run it: lines, exit codes and sentences. No launcher and no MPI.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Outcome {
  int code = -1;
  std::string output;
  std::string errors;

  std::vector<json> lines() const {
    std::vector<json> found;
    std::istringstream text(output);
    for (std::string line; std::getline(text, line);) found.push_back(json::parse(line));
    return found;
  }
};

class AuditProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("isobath-audit-" + std::to_string(getpid()));
    fs::create_directory(folder_);
    write_searches(R"({"search":3,"root":1,"directions":["top_down","bottom_up","bottom_up"]})");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_searches(const std::string& text) const { std::ofstream(folder_ / "searches") << text << "\n"; }
  static std::string content_of(const fs::path& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  }
  Outcome run(const std::string& options) const {
    const std::string command =
        "cd " + folder_.string() + " && " ISOBATH_AUDIT_PROGRAM " " + options + " >output 2>errors";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_ / "output"),
            content_of(folder_ / "errors")};
  }

  fs::path folder_;
};

TEST_F(AuditProgram, PrintsWhatEveryRankMustSend) {
  const Outcome done = run("--scale 10 --plan two-dim --grid 2x2 --searches searches");
  ASSERT_EQ(done.code, 0) << done.errors;
  std::int64_t folded = 0;
  for (const json& line : done.lines()) {
    EXPECT_EQ(line["search"], 3);
    std::int64_t sum = 0;
    for (const std::int64_t bytes : line["bytes_of_rank"]) sum += bytes;
    EXPECT_EQ(line["bytes"], sum);
    EXPECT_EQ(line["audit_class"], line["phase"] == "fold" ? "b" : "a");
    if (line["phase"] == "expand") {  // 256 vertices: one unit of 512 bits, to one other
      EXPECT_EQ(line["bytes_of_rank"], json({64, 64, 64, 64}));
    }
    if (line["phase"] == "reduce") {
      EXPECT_EQ(line["bytes"], 4 * 3 * 8);
    }
    if (line["phase"] == "fold") folded += sum;
  }
  // Both arcs of about half of the 16 * 1024 edges cross grid columns, 16 bytes each; a few edges lie in
  // other components or are self-loops.
  EXPECT_NEAR(static_cast<double>(folded), 16.0 * 16 * 1024, 0.1 * 16 * 16 * 1024);
}

TEST_F(AuditProgram, KnowsEveryPlanWithItsDefaults) {
  for (const std::string plan :
       {"replicated-csr --grid 3x1", "replicated-csc --grid 3x1", "simple --grid 1x3", "one-sided --grid 1x3",
        "one-sided --exchange emulated --grid 1x3", "two-dim --grid 3x2", "hybrid --grid 3x2",
        "hybrid --exchange two-level --node-map 0,0,0,1,1,1 --grid 3x2"}) {
    const Outcome done = run("--scale 8 --searches searches --plan " + plan);
    EXPECT_EQ(done.code, 0) << plan << ": " << done.errors;
    EXPECT_FALSE(done.lines().empty()) << plan;
  }
}

TEST_F(AuditProgram, SwitchesChangeWhatIsSent) {
  const auto folds = [&](const std::string& options) {
    std::int64_t bytes = 0;
    for (const json& line :
         run("--scale 9 --plan simple --grid 1x4 --searches searches " + options).lines()) {
      if (line["phase"] == "fold") bytes += line["bytes"].get<std::int64_t>();
    }
    return bytes;
  };
  const std::int64_t published = folds("");
  EXPECT_EQ(2 * folds("--ids 32"), published);
  EXPECT_LT(folds("--duplicates drop"), published);
  EXPECT_LT(folds("--dedup local"), folds("--duplicates drop"));
}

TEST_F(AuditProgram, IsTheSameWithAnyNumberOfThreads) {
  std::string searches;
  for (const int root : {1, 2, 4, 8}) searches += R"({"search":0,"root":)" + std::to_string(root) + "}\n";
  write_searches(searches);
  const std::string options = "--scale 8 --grid 2x2 --searches searches";
  EXPECT_EQ(run(options + " --threads 1").output, run(options + " --threads 3").output);
}

TEST_F(AuditProgram, SaysInOneSentenceWhatIsWrong) {
  const auto expect_usage = [&](const std::string& options, const std::string& sentence) {
    const Outcome done = run(options);
    EXPECT_EQ(done.code, 2) << options;
    EXPECT_EQ(done.output, "") << options;
    EXPECT_EQ(done.errors, "isobath-audit: " + sentence + "\n") << options;
  };
  expect_usage("--grid 2x2 --searches searches", "--scale is missing; for example --scale 20");
  expect_usage("--scale 8 --searches searches", "--grid is missing; for example --grid 2x2");
  expect_usage("--scale 8 --grid 2x2", "--searches is missing; for example --searches searches.jsonl");
  expect_usage("--scale 8 --grid 2x2 --searches none", "cannot read none; name a file of searches");
  expect_usage("--scale 8 --grid 2by2 --searches searches",
               "'2by2' is no grid; write rows x columns, for example 2x3");
  expect_usage("--scale 8 --plan simple --grid 2x2 --searches searches",
               "a plan in which owners compute has one grid row; give the grid as 1 x ranks");
  expect_usage("--scale 8 --plan two-dim --fold packed --grid 2x2 --searches searches",
               "--fold packed is nothing for the plan two-dim, which has plain");
  expect_usage(
      "--scale 8 --plan other --grid 2x2 --searches searches",
      "there is no search plan 'other'; there are replicated-csr, replicated-csc, simple, one-sided, "
      "two-dim, hybrid");
  expect_usage("--scale 8 --grid 1x2 --exchange two-level --searches searches",
               "a two-level exchange needs the node of every rank; give a node map of as many entries");
  expect_usage("--scale 8 --grid 1x2 --node-map 0,x --searches searches",
               "'x' in --node-map is no node; write for example 0,0,1,1");
  write_searches(R"({"search":0,"root":256})");
  expect_usage("--scale 8 --grid 2x2 --searches searches",
               "root 256 of search 0 is no vertex of scale 8; vertices are 0 to 255");
  write_searches("{\"search\":0,\"root\":1}\n\n{\"search\":1}");
  expect_usage("--scale 8 --grid 2x2 --searches searches",
               "line 3 of searches is no search to audit: it needs \"root\", a number from 0");
  write_searches("nonsense");
  expect_usage("--scale 8 --grid 2x2 --searches searches",
               "line 1 of searches is no search to audit: it is no JSON object");
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("--version").output.substr(0, 14), "isobath-audit ");
}

}  // namespace
