// SPDX-License-Identifier: Apache-2.0
// isobath-edges as its users run it: bytes, exit codes and sentences.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
};

class EdgesProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("isobath-edges-" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs a shell command in which EDGES stands for the program.
  Outcome shell(std::string command) const {
    for (std::size_t at = command.find("EDGES"); at != std::string::npos; at = command.find("EDGES")) {
      command.replace(at, 5, ISOBATH_EDGES_PROGRAM);
    }
    const fs::path errors = folder_ / "errors";
    std::FILE* const pipe = popen(("cd " + folder_.string() + " && (" + command + ") 2>errors").c_str(), "r");
    Outcome outcome;
    std::vector<char> piece(1 << 16);
    for (std::size_t got = 1; got > 0;) {
      got = std::fread(piece.data(), 1, piece.size(), pipe);
      outcome.output.append(piece.data(), got);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.errors = content_of(errors);
    return outcome;
  }

  static std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
  }

  fs::path folder_;
};

std::vector<json> facts_between(int lowest_scale, int highest_scale) {
  std::vector<json> facts;
  std::ifstream file(ISOBATH_TEST_DATA "/graph500.jsonl");
  for (std::string line; std::getline(file, line);) {
    json fact = json::parse(line);
    if (fact["scale"] >= lowest_scale && fact["scale"] <= highest_scale) facts.push_back(std::move(fact));
  }
  return facts;
}

class GoldenFacts : public EdgesProgram {
 protected:
  void expect_hashes(const json& fact) {
    const std::string graph = "EDGES --scale " + std::to_string(fact["scale"].get<int>());
    const Outcome edges = shell(graph + " --output - | sha256sum");
    EXPECT_EQ(edges.output.substr(0, 64), fact["edges_sha256"].get<std::string>())
        << fact["scale"] << edges.errors;
    const Outcome weights = shell(graph + " --weights - | sha256sum");
    EXPECT_EQ(weights.output.substr(0, 64), fact["weights_sha256"].get<std::string>())
        << fact["scale"] << weights.errors;
  }
  void expect_keys(const json& fact) {
    const Outcome outcome = shell("EDGES --keys --scale " + std::to_string(fact["scale"].get<int>()));
    std::string expected;
    for (const json& key : fact["search_keys"]) expected += std::to_string(key.get<std::int64_t>()) + "\n";
    EXPECT_EQ(outcome.output, expected) << fact["scale"] << outcome.errors;
    EXPECT_EQ(outcome.code, 0);
  }
};

/// Larger ones are hashed in tests/system, from the optimised build.
TEST_F(GoldenFacts, HoldUpToScale16) {
  const std::vector<json> facts = facts_between(1, 16);
  ASSERT_EQ(facts.size(), 5U);
  for (const json& fact : facts) {
    expect_hashes(fact);
    expect_keys(fact);
  }
}

TEST_F(EdgesProgram, WritesTheSameFilesWithAnyNumberOfThreads) {
  ASSERT_EQ(shell("EDGES --scale 14 --output edges1 --weights weights1 --threads 1").code, 0);
  ASSERT_EQ(shell("EDGES --scale 14 --output edges5 --weights weights5 --threads 5").code, 0);
  EXPECT_EQ(content_of(folder_ / "edges1").size(), (std::size_t{16} << 14) * 16);
  EXPECT_EQ(content_of(folder_ / "weights1").size(), (std::size_t{16} << 14) * 4);
  EXPECT_EQ(content_of(folder_ / "edges1"), content_of(folder_ / "edges5"));
  EXPECT_EQ(content_of(folder_ / "weights1"), content_of(folder_ / "weights5"));
}

TEST_F(EdgesProgram, WritesAnyRange) {
  const std::string all = shell("EDGES --scale 10 --output -").output;
  EXPECT_EQ(shell("EDGES --scale 10 --output - --first 37").output, all.substr(37 * 16));
  EXPECT_EQ(shell("EDGES --scale 10 --output - --first 37 --count 1001").output,
            all.substr(37 * 16, 1001 * 16));
  EXPECT_EQ(shell("EDGES --scale 10 --output - --count 0").output, "");

  const std::string all_weights = shell("EDGES --scale 10 --weights -").output;
  EXPECT_EQ(shell("EDGES --scale 10 --weights - --first 37 --count 1001").output,
            all_weights.substr(37 * 4, 1001 * 4));
}

TEST_F(EdgesProgram, ReplacesAFileWholeAndLeavesNoOther) {
  std::ofstream(folder_ / "edges") << std::string(1 << 20, 'x');
  ASSERT_EQ(shell("EDGES --scale 6 --output edges").code, 0);
  EXPECT_EQ(content_of(folder_ / "edges"), shell("EDGES --scale 6 --output -").output);
  EXPECT_FALSE(fs::exists(folder_ / "edges.part"));
}

TEST_F(EdgesProgram, PrintsFewerKeysWhereTheGraphHasFewer) {
  const Outcome outcome = shell("EDGES --scale 3 --keys");
  EXPECT_EQ(outcome.code, 0);
  const auto keys = std::count(outcome.output.begin(), outcome.output.end(), '\n');
  EXPECT_GT(keys, 0);
  EXPECT_LE(keys, 8);
}

TEST_F(EdgesProgram, ExplainsWrongUse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--keys", "isobath-edges: --scale is required; see isobath-edges --help\n"},
      {"--scale 0 --keys", "isobath-edges: scale 0 is out of range; choose 1 to 43\n"},
      {"--scale 44 --keys", "isobath-edges: scale 44 is out of range; choose 1 to 43\n"},
      {"--scale 8 --edgefactor 0 --keys",
       "isobath-edges: edgefactor 0 is out of range; choose 1 to 4096 (16 is the benchmark's)\n"},
      {"--scale 8", "isobath-edges: nothing to write; choose --output FILE, --weights FILE or --keys\n"},
      {"--scale 8 --output - --keys",
       "isobath-edges: edges, weights and keys cannot share one output; name a file for each\n"},
      {"--scale 8 --output x --weights x",
       "isobath-edges: edges, weights and keys cannot share one output; name a file for each\n"},
      {"--scale 8 --output x --first 4097",
       "isobath-edges: --first 4097 is out of range; the graph has 4096 edges, from 0\n"},
      {"--scale 8 --output x --first 4000 --count 97",
       "isobath-edges: --count 97 is out of range; 96 edges follow from --first 4000\n"},
  };
  for (const auto& [options, sentence] : cases) {
    const Outcome outcome = shell("EDGES " + options);
    EXPECT_EQ(outcome.code, 2) << options;
    EXPECT_EQ(outcome.errors, sentence) << options;
    EXPECT_EQ(outcome.output, "") << options;
  }
  EXPECT_EQ(shell("EDGES --scale 8 --keys --no-such-option").code, 2);
  EXPECT_EQ(shell("EDGES --scale eight --keys").code, 2);
  EXPECT_EQ(shell("ISOBATH_INSTRUCTION_SET=sse9 EDGES --scale 8 --keys").code, 2);
}

TEST_F(EdgesProgram, ExplainsWhatTheMachineRefuses) {
  const Outcome missing = shell("EDGES --scale 8 --output missing/edges");
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(missing.errors,
            "isobath-edges: cannot write missing/edges (No such file or directory); name another file\n");

  const Outcome full = shell("EDGES --scale 16 --output /dev/full");
  EXPECT_EQ(full.code, 3);
  EXPECT_EQ(full.errors,
            "isobath-edges: cannot write /dev/full (No space left on device); free some space or name a file "
            "elsewhere\n");

  const Outcome closed =
      shell("{ EDGES --scale 18 --output -; echo $? >code; } | head -c 10 >/dev/null; cat code");
  EXPECT_EQ(closed.output, "3\n");
  EXPECT_EQ(closed.errors,
            "isobath-edges: cannot write standard output (Broken pipe); the reader ended early\n");

  EXPECT_EQ(shell("EDGES --scale 8 --keys >/dev/full").code, 3);
}

/// A limit on file sizes stands for a disk that fills up half-way.
TEST_F(EdgesProgram, LeavesNoHalfFile) {
  const Outcome outcome = shell("trap '' XFSZ; ulimit -f 100; EDGES --scale 16 --output edges");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.errors,
            "isobath-edges: cannot write edges (File too large); free some space or name a file elsewhere\n");
  EXPECT_FALSE(fs::exists(folder_ / "edges"));
  EXPECT_FALSE(fs::exists(folder_ / "edges.part"));
}

}  // namespace
