// SPDX-License-Identifier: Apache-2.0
// isobath-collectives as users start it.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "apps/collectives_options.hpp"
#include "base/error.hpp"
#include "running_program.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;

class CollectivesProgramTest : public testing::Test {
 protected:
  test::Ending start(int ranks, const std::string& arguments,
                     const std::vector<std::string>& environment = {}) {
    return test::run(test::launched(ranks, ISOBATH_COLLECTIVES_PROGRAM, arguments), tree_.root(),
                     environment);
  }
  std::vector<Json> records() const {
    std::ifstream file(path("records.jsonl"));
    std::vector<Json> found;
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    return found;
  }
  std::string path(const std::string& name) const { return tree_.path(name); }
  FileTree tree_;
};

constexpr const char* quick = " --least 3 --most 12 --budget 1 ";

TEST_F(CollectivesProgramTest, WritesALaunchAndARecordForEachCellInTheirOrder) {
  tree_.write("cells.json", R"([{"collective": "allreduce", "size_bytes": 64},
                                {"collective": "allreduce", "size_bytes": 9},
                                {"collective": "barrier"}])");
  const test::Ending ending = start(2, "--cells " + path("cells.json") + " --launch 3 --run-id r1 --record " +
                                           path("records.jsonl") + quick);
  EXPECT_EQ(ending.code, 0) << ending.errors;
  const std::vector<Json> lines = records();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].at("kind"), "launch");
  EXPECT_EQ(lines[0].at("ranks"), 2);
  EXPECT_EQ(lines[0].at("launch"), 3);
  EXPECT_EQ(lines[1].at("collective"), "allreduce");
  EXPECT_EQ(lines[1].at("wire_bytes"), 64);
  EXPECT_EQ(lines[1].at("data_check"), "passed");
  EXPECT_EQ(lines[1].at("entry_nanoseconds").size(), 2U);
  EXPECT_EQ(lines[2].at("not_runnable"), "needs whole elements of 8 bytes, has 9 bytes");
  EXPECT_EQ(lines[3].at("order"), 2);
  std::istringstream table(ending.output);
  for (std::string line; std::getline(table, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_NE(ending.output.find("not runnable"), std::string::npos);
}

TEST_F(CollectivesProgramTest, ListsWhatThereIs) {
  const test::Ending ending = start(1, "--list");
  EXPECT_EQ(ending.code, 0) << ending.errors;
  for (const char* word :
       {"barrier\n", "exscan\n", "neighbor_alltoallw (irregular counts)\n", "ialltoallv"}) {
    EXPECT_NE(ending.output.find(word), std::string::npos) << word;
  }
}

TEST_F(CollectivesProgramTest, WrongWordsAreOneSentenceAndEndWithTwo) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "nothing is asked for; name --collective allreduce, --cells FILE or --list"},
      {"--collective gossip", "there is no collective 'gossip'; there are barrier"},
      {"--collective bcast --sizes 1:2X", "'2X' is no number of bytes; write for example 100, 4K, 1M or 2G"},
      {"--collective bcast --shape 3x3", "the arrangement 3x3 is of 9 ranks, but there are 2"},
      {"--collective bcast --least 9 --most 3",
       "--least 9 is more than --most 3; raise one or lower the other"},
      {"--collective bcast --algorithm ring", "--algorithm 'ring' is not VARIABLE=VALUE; see --list"},
      {"--collective bcast --cells x.json", "--cells and --collective exclude each other; leave one out"},
      {"--lots", "see isobath-collectives --help"},
  };
  for (const auto& [arguments, sentence] : wrong) {
    const test::Ending ending = start(2, arguments);
    EXPECT_EQ(ending.code, 2) << arguments << ending.errors;
    EXPECT_NE(ending.errors.find(sentence), std::string::npos) << ending.errors;
  }
}

TEST_F(CollectivesProgramTest, AFileThatCannotBeReadIsTheEnvironments) {
  const test::Ending ending = start(2, "--cells " + path("nowhere.json"));
  EXPECT_EQ(ending.code, 3) << ending.errors;
  EXPECT_NE(ending.errors.find("cannot read"), std::string::npos);
}

/// What the library makes of an algorithm's name in its environment is what we make of it by MPI_T.
TEST_F(CollectivesProgramTest, AlgorithmsHaveTheNamesThatTheLibraryKnows) {
  const test::Ending list = start(1, "--list");
  std::istringstream lines(list.output);
  std::string variable = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM";
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (line != "    " + variable || !std::getline(lines, line)) continue;
    std::istringstream words(line.substr(line.find(';') + 1));
    for (std::string word; words >> word;) names.push_back(word.substr(0, word.find(',')));
  }
  if (names.size() < 2) GTEST_SKIP() << "this library names no algorithms of allreduce";
  for (const std::string& name : names) {
    const test::Ending ending = start(1, "--list", {variable + "=" + name});
    EXPECT_NE(ending.output.find(variable + "\n      now " + name + ";"), std::string::npos) << name;
  }
}

TEST(CollectivesOptions, SizesAreListsAndRanges) {
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(parse_sizes("1:8"), (Sizes{1, 2, 4, 8}));
  EXPECT_EQ(parse_sizes("3,4K,1:2"), (Sizes{3, 4096, 1, 2}));
  EXPECT_EQ(parse_bytes("2G"), std::int64_t{2} << 30);
  for (const char* text : {"", "1:", "8:1", "0:4", "1Q", "-1", "1.5K", "99999999999999999G", "4KK"}) {
    EXPECT_THROW(parse_sizes(text), UsageError) << text;
  }
}

}  // namespace
}  // namespace isobath
