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
#include "apps/collectives_table.hpp"
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

TEST_F(CollectivesProgramTest, ClocksOfPretendedNodesAreComparedAndTheirErrorRecorded) {
  const std::string words = "--collective bcast --sizes 8,16 --record " + path("records.jsonl") + quick;
  const test::Ending apart =
      start(2, words, {"ISOBATH_NODE_MAP=0,1", "ISOBATH_CLOCK_SKEW=0,-7200", "ISOBATH_CLOCK_DRIFT=0,20"});
  EXPECT_EQ(apart.code, 0) << apart.errors;
  std::vector<Json> lines = records();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("clocks"), 2);
  EXPECT_GT(lines[0].at("clock_error_seconds"), 0.0);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_GT(lines[i].at("clock_error_nanoseconds"), 0);
    EXPECT_LT(lines[i].at("clock_error_nanoseconds"), 1'000'000'000) << "two hours were brought together";
  }
  const test::Ending together = start(2, words + " --run-id one-clock");
  EXPECT_EQ(together.code, 0) << together.errors;
  lines = records();
  EXPECT_EQ(lines.back().at("clock_error_nanoseconds"), 0);
}

TEST_F(CollectivesProgramTest, MeasuresOnesOwnAlgorithmBesideTheLibrarys) {
  tree_.write("cells.json", R"([{"collective": "allgatherv", "size_bytes": 64, "counts": "zipf:1"},
                                {"collective": "allgatherv", "size_bytes": 64, "counts": "zipf:1",
                                 "algorithm": "own_ring"}])");
  const test::Ending ending =
      start(2, "--cells " + path("cells.json") + " --record " + path("records.jsonl") + quick);
  EXPECT_EQ(ending.code, 0) << ending.errors;
  const std::vector<Json> lines = records();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].at("call"), "allgatherv");
  EXPECT_NE(lines[1].at("algorithm_source"), "own");
  EXPECT_EQ(lines[2].at("call"), "own_ring");
  EXPECT_EQ(lines[2].at("algorithm"), "own_ring");
  EXPECT_EQ(lines[2].at("algorithm_source"), "own");
  EXPECT_EQ(lines[2].at("data_check"), "passed");
  EXPECT_EQ(lines[2].at("wire_bytes"), lines[1].at("wire_bytes"));
  EXPECT_EQ(start(1, "--own-algorithms").output, "own_ring allgather allgatherv\n");
}

TEST_F(CollectivesProgramTest, ListsWhatThereIs) {
  const test::Ending ending = start(1, "--list");
  EXPECT_EQ(ending.code, 0) << ending.errors;
  for (const char* word : {"barrier\n", "exscan\n", "neighbor_alltoallw (irregular counts)\n", "ialltoallv",
                           "own_ring, in the library's place\n"}) {
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
      {"--collective bcast --algorithm ring",
       "bcast has no algorithm 'ring' of one's own, nor any other; one of the library is written "
       "VARIABLE=VALUE"},
      {"--collective allgather --algorithm =x", "--algorithm '=x' is not VARIABLE=VALUE; see --list"},
      {"--collective allgather --algorithm ring", "of one's own, there is own_ring; one of the library"},
      {"--collective allgather --algorithm own_ring --form nonblocking",
       "own_ring has no nonblocking form; leave the form out"},
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
  const test::Ending unwritable =
      start(2, "--collective bcast --sizes 8 --record " + path("nowhere/x.jsonl"));
  EXPECT_EQ(unwritable.code, 3) << unwritable.errors;
  EXPECT_NE(unwritable.errors.find("x.jsonl"), std::string::npos) << unwritable.errors;
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

/// The numbers of tests/python/bench/test_times.py: both readers say the same.
TEST(CollectivesTable, AStreamIsTimedByBatchesAndADelayIsNoPartOfATime) {
  CollectiveRecord ahead;
  ahead.cadence = "streaming";
  ahead.timed_from = "first_entry";
  ahead.batch_starts = {0, 1, 4};
  ahead.warm_up_repetitions = 1;
  ahead.entry_nanoseconds = {{0, 1000, 1010, 1020, 2000, 2010}, {0, 1000, 1100, 1200, 2006, 2100}};
  ahead.exit_nanoseconds = {{50, 1010, 1020, 1030, 2010, 2020}, {50, 1100, 1200, 1300, 2100, 2200}};
  using Times = std::vector<std::int64_t>;
  EXPECT_EQ(ordered_times(ahead), (Times{100, 100}));
  ahead.slowest_nanoseconds = {60, 600, 500};
  EXPECT_EQ(ordered_times(ahead), (Times{200, 250}));
  ahead.invalid = {5};
  EXPECT_EQ(ordered_times(ahead), (Times{200}));

  CollectiveRecord late;
  late.cadence = "isolated";
  late.timed_from = "last_entry";
  late.warm_up_repetitions = 1;
  late.entry_nanoseconds = {{0, 1000, 3000}, {0, 1500, 3400}};
  late.exit_nanoseconds = {{90, 1600, 3480}, {90, 1590, 3490}};
  EXPECT_EQ(ordered_times(late), (Times{90, 100}));
  late.timed_from = "first_entry";
  EXPECT_EQ(ordered_times(late), (Times{490, 600}));
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
