// SPDX-License-Identifier: Apache-2.0
// isobath-graph500 as its users start it: results against the golden facts, endings and their exit codes.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "running_program.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;
using test::Ending;
using test::graph500;

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) {
    if (!line.empty()) lines.push_back(Json::parse(line));
  }
  return lines;
}

std::vector<Json> of_kind(const std::vector<Json>& records, const std::string& kind) {
  std::vector<Json> found;
  for (const Json& record : records) {
    if (record.at("kind") == kind) found.push_back(record);
  }
  return found;
}

Json golden(int scale) {
  std::ifstream file(ISOBATH_TEST_DATA "/graph500.jsonl");
  std::string line;
  while (std::getline(file, line)) {
    Json facts = Json::parse(line);
    if (facts.at("scale") == scale) return facts;
  }
  return {};
}

std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> labels;
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) labels.push_back(line.substr(0, line.find_last_of(" !:") + 1));
  return labels;
}

class Graph500Program : public testing::Test {
 protected:
  Ending run(int ranks, const std::string& arguments,
             const std::vector<std::string>& environment = {}) const {
    return test::run(graph500(ranks, arguments), tree_.root(), environment);
  }
  std::vector<Json> records() const { return json_lines(tree_.read("records")); }
  std::string record_option() const { return " --record " + tree_.path("records"); }

  FileTree tree_;
};

struct Case {
  int ranks;
  const char* options;
};

class GoldenRun : public Graph500Program, public testing::WithParamInterface<Case> {};

TEST_P(GoldenRun, FindsTheFactsOfScaleTen) {
  const Json facts = golden(10);
  ASSERT_TRUE(facts.contains("searches"));

  const Ending ending =
      run(GetParam().ranks, std::string("--scale 10 --run-id g ") + GetParam().options + record_option());

  ASSERT_EQ(ending.code, 0) << ending.errors;
  const std::vector<Json> all = records();
  EXPECT_EQ(all.front().at("kind"), "run");
  EXPECT_EQ(all.back().at("kind"), "finish");
  EXPECT_EQ(all.back().at("state"), "complete");
  EXPECT_EQ(all.back().at("violations"), 0);
  const Json construction = of_kind(all, "construction").at(0);
  for (const char* name :
       {"self_loops", "distinct_edges", "isolated_vertices", "max_degree_with_duplicates"}) {
    EXPECT_EQ(construction.at(name), facts.at(name)) << name;
  }
  std::vector<Json> searches;
  for (const Json& search : of_kind(all, "search")) {
    if (!search.at("warmup").get<bool>()) searches.push_back(search);
  }
  ASSERT_EQ(searches.size(), facts.at("search_keys").size());
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const Json& expected = facts.at("searches").at(i);
    EXPECT_EQ(searches[i].at("root"), facts.at("search_keys").at(i));
    EXPECT_EQ(searches[i].at("validation").at("passed"), true);
    EXPECT_EQ(searches[i].at("vertices_reached"), expected.at("reached"));
    EXPECT_EQ(searches[i].at("vertices_per_level"), expected.at("vertices_per_level"));
    EXPECT_EQ(searches[i].at("traversed_edges"), expected.at("traversed_edges_without_loops"));
    EXPECT_EQ(searches[i].at("traversed_edges_with_self_loops"),
              expected.at("traversed_edges_without_loops").get<int>() +
                  expected.at("self_loops_in_component").get<int>());
  }
}

INSTANTIATE_TEST_SUITE_P(RanksAndStorages, GoldenRun,
                         testing::Values(Case{0, ""}, Case{0, "--edges regenerate --threads 3"},
                                         Case{1, "--edges file --edge-folder /tmp"}, Case{2, "--threads 1"},
                                         Case{2, "--grid 2x1"}, Case{3, "--edges regenerate"}, Case{4, ""},
                                         Case{6, "--grid 3x2 --edges file --edge-folder /tmp"}));

TEST_F(Graph500Program, StandardOutputIsTheBlockOfTheReferenceAndNothingElse) {
  const Ending ending = run(2, "--scale 12 --progress --official-reference " + tree_.path("reference"));
  ASSERT_EQ(ending.code, 0) << ending.errors;
  std::ostringstream sample;
  sample << std::ifstream(ISOBATH_TEST_DATA "/reference-3.0-stdout-bfs.txt").rdbuf();
  EXPECT_EQ(labels_of(ending.output), labels_of(sample.str()));
  EXPECT_EQ(ending.output, tree_.read("reference"));
  EXPECT_NE(ending.output.find("min_nedge:                      65327\n"), std::string::npos)
      << "as the reference";
  EXPECT_NE(ending.errors.find("Running BFS 63\nTime for BFS 63 is "), std::string::npos) << ending.errors;
  EXPECT_NE(ending.errors.find("graph_generation:               "), std::string::npos);
}

TEST_F(Graph500Program, ARunRecordTellsHowItWasRun) {
  ASSERT_EQ(run(2, "--scale 8 --keys 3 --warmup 0 --no-validation --run-id abc" + record_option()).code, 0);
  const Json run_record = records().at(0);
  EXPECT_EQ(run_record.at("run_id"), "abc");
  EXPECT_EQ(run_record.at("ranks"), 2);
  EXPECT_EQ(run_record.at("grid_rows"), 2);
  EXPECT_EQ(run_record.at("grid_cols"), 1);
  EXPECT_EQ(run_record.at("seeds"), Json({2, 3}));
  EXPECT_EQ(run_record.at("keys_requested"), 3);
  EXPECT_EQ(run_record.at("validation"), false);
  EXPECT_EQ(run_record.at("binding").size(), 2U);
  EXPECT_EQ(run_record.at("binding").at(1).at("rank"), 1);
  EXPECT_EQ(run_record.at("hosts").size(), 1U) << "both ranks run here";
  EXPECT_NE(run_record.at("mpi").at("library_version"), "");
  EXPECT_EQ(run_record.at("argv").at(1), "--scale");
}

TEST_F(Graph500Program, RanksValidateByACopyOfTheEdgesWhereEachHasAnEdgeForEveryVertex) {
  for (const auto& [ranks, edgefactor] : {std::pair(1, 16), std::pair(2, 16), std::pair(3, 2)}) {
    const std::string words =
        "--scale 9 --keys 5 --validation-copy on --edgefactor " + std::to_string(edgefactor);
    ASSERT_EQ(run(ranks, words + record_option()).code, 0);
    const std::vector<Json> all = records();
    for (const Json& search : of_kind(all, "search")) {
      EXPECT_TRUE(search.at("validation").at("passed"));
      EXPECT_GT(search.at("traversed_edges"), 400 * edgefactor);
    }
    EXPECT_EQ(all.back().contains("validation_copy_seconds"), ranks <= edgefactor);
  }
}

std::int64_t sum_of(const Json& numbers) {
  std::int64_t sum = 0;
  for (const Json& number : numbers) sum += number.is_array() ? sum_of(number) : number.get<std::int64_t>();
  return sum;
}

/// Two pretended nodes whose clocks differ by five seconds.
TEST_F(Graph500Program, EveryByteOfASearchIsInItsRecords) {
  const Ending ending = run(4, "--scale 9 --keys 2 --grid 2x2 --peer-records" + record_option(),
                            {"ISOBATH_NODE_MAP=0,0,1,1", "ISOBATH_CLOCK_SKEW=0,0,5,5"});
  ASSERT_EQ(ending.code, 0) << ending.errors;
  const std::vector<Json> all = records();
  const Json& run_record = all.front();
  EXPECT_EQ(run_record.at("nodes"), 2);
  EXPECT_EQ(run_record.at("node_of_rank"), Json({0, 0, 1, 1}));
  EXPECT_EQ(run_record.at("node_map_is_override"), true);
  EXPECT_GT(run_record.at("clock_error_seconds"), 0.0);

  std::int64_t searched = 0;
  for (const Json& search : of_kind(all, "search")) {
    if (search.at("warmup").get<bool>()) continue;
    searched += search.at("bytes_sent").get<std::int64_t>();
    EXPECT_EQ(search.at("bytes_received"), search.at("bytes_sent"));
    const Json calls = of_kind(all, "calls").at(search.at("index").get<std::size_t>());
    std::int64_t bytes = 0;
    std::int64_t messages = 0;
    std::int64_t off_node = 0;
    for (const Json& cell : calls.at("cells")) {
      bytes += cell.at("bytes_sent").get<std::int64_t>();
      messages += cell.at("messages").get<std::int64_t>();
      off_node += cell.at("off_node_bytes").get<std::int64_t>();
      const std::string communicator = cell.at("communicator");
      if (communicator == "row") {  // of a 2 x 2 grid: ranks 0 and 2, 1 and 3, which are nodes apart
        EXPECT_EQ(cell.at("off_node_bytes"), cell.at("bytes_sent"));
      }
      if (communicator == "column") {
        EXPECT_EQ(cell.at("off_node_bytes"), 0);
      }
    }
    EXPECT_EQ(bytes, search.at("bytes_sent"));
    EXPECT_EQ(messages, search.at("messages"));
    EXPECT_EQ(off_node, search.at("off_node_bytes"));
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const double seconds = search.at("seconds_per_rank").at(rank);
      EXPECT_LE(search.at("mpi_seconds_per_rank").at(rank), seconds) << "whatever its clock says";
      EXPECT_LE(search.at("wait_seconds_per_rank").at(rank), search.at("mpi_seconds_per_rank").at(rank));
    }
  }
  for (const Json& level : of_kind(all, "level")) {
    EXPECT_EQ(sum_of(level.at("bytes_received")), sum_of(level.at("bytes_sent")));
    std::map<std::string, std::int64_t> of_peers;
    for (const Json& matrix : of_kind(all, "traffic_matrix")) {
      if (!matrix.contains("search") || matrix.at("search") != level.at("search") ||
          matrix.at("level") != level.at("level"))
        continue;
      of_peers[matrix.at("phase")] = sum_of(matrix.at("bytes"));
    }
    for (const auto& [phase, bytes] : level.at("bytes_sent").items())
      EXPECT_EQ(of_peers[phase], bytes) << phase;
  }
  std::int64_t in_matrices = 0;
  for (const Json& matrix : of_kind(all, "traffic_matrix")) {
    if (matrix.at("part") == "search" && !matrix.contains("search"))
      in_matrices += sum_of(matrix.at("bytes"));
  }
  EXPECT_EQ(in_matrices, searched) << "over the timed searches";
  std::int64_t in_sizes = 0;
  for (const Json& sizes : of_kind(all, "message_sizes")) {
    if (sizes.at("part") == "search" && sizes.at("meaning") == "per_peer")
      in_sizes += sum_of(sizes.at("bytes"));
  }
  EXPECT_EQ(in_sizes, searched);
  std::map<std::string, double> shares;
  for (const Json& time : of_kind(all, "mpi_time"))
    shares[time.at("part")] += time.at("share_of_mpi").get<double>();
  EXPECT_EQ(shares.size(), 4U);
  for (const auto& [part, share] : shares) EXPECT_NEAR(share, 1, 1e-9) << part;
}

TEST_F(Graph500Program, BucketsOfMessageSizesAreAsAsked) {
  ASSERT_EQ(run(2, "--scale 7 --keys 1 --size-edges 8,512" + record_option()).code, 0);
  std::set<std::int64_t> edges;
  for (const Json& sizes : of_kind(records(), "message_sizes")) {
    for (const Json& edge : sizes.at("from_bytes")) edges.insert(edge.get<std::int64_t>());
  }
  for (const std::int64_t edge : edges) EXPECT_TRUE(edge == 0 || edge == 8 || edge == 512) << edge;
  EXPECT_TRUE(edges.contains(8));
}

TEST_F(Graph500Program, AWrongMapOfNodesOrClocksIsSaidOnceAndEndsInTwo) {
  const std::pair<const char*, const char*> wrong[] = {
      {"ISOBATH_NODE_MAP=0,0,1", "ISOBATH_NODE_MAP is '0,0,1', which is 3 numbers, but this run has 2 ranks"},
      {"ISOBATH_CLOCK_SKEW=0,x", "ISOBATH_CLOCK_SKEW is '0,x', but 'x' is no number"},
  };
  for (const auto& [variable, sentence] : wrong) {
    const Ending ending = run(2, "--scale 7", {variable});
    EXPECT_EQ(ending.code, 2) << ending.errors;
    EXPECT_NE(ending.errors.find(sentence), std::string::npos) << ending.errors;
    EXPECT_EQ(ending.errors.find("isobath:"), ending.errors.rfind("isobath:")) << ending.errors;
  }
  EXPECT_EQ(run(0, "--scale 7 --size-edges 8,4").code, 2);
}

TEST_F(Graph500Program, ThreadsAreBoundToProcessorsOfTheirOwnUnlessThereAreTooFew) {
  ASSERT_EQ(run(0, "--scale 6 --keys 1" + record_option()).code, 0);
  const Json alone = records().at(0);
  const auto threads = alone.at("threads_per_rank").get<std::size_t>();
  EXPECT_EQ(alone.at("oversubscribed"), false);
  std::set<std::string> cpus;
  for (const Json& cpu : alone.at("binding").at(0).at("thread_cpus")) cpus.insert(cpu.get<std::string>());
  EXPECT_EQ(cpus.size(), threads);
  for (const std::string& cpu : cpus)
    EXPECT_EQ(cpu.find_first_not_of("0123456789"), std::string::npos) << cpu;

  std::filesystem::remove(tree_.path("records"));
  const unsigned many = 2 * std::thread::hardware_concurrency();
  const Ending ending = run(0, "--scale 6 --keys 1 --threads " + std::to_string(many) + record_option());
  ASSERT_EQ(ending.code, 0) << ending.errors;
  EXPECT_NE(ending.errors.find("oversubscribed"), std::string::npos);
  const Json crowded = records().at(0);
  EXPECT_EQ(crowded.at("oversubscribed"), true);
  EXPECT_EQ(crowded.at("threads_per_rank"), many);
  EXPECT_EQ(crowded.at("binding").at(0).at("thread_cpus").at(0), crowded.at("binding").at(0).at("cpus"));
}

TEST_F(Graph500Program, SmallGraphsHaveFewerKeysAndSaySo) {
  const Ending ending = run(0, "--scale 4");
  ASSERT_EQ(ending.code, 0) << ending.errors;
  const auto keys = golden(4).is_object() ? golden(4).at("search_keys").size() : 0;
  const auto at = ending.output.find("NBFS:");
  const int searches = std::stoi(ending.output.substr(at + 5));
  EXPECT_LT(searches, 64);
  EXPECT_GT(searches, 0);
  if (keys != 0) {
    EXPECT_EQ(searches, static_cast<int>(keys));
  }
}

TEST_F(Graph500Program, QuestionsAreAnsweredOnceAndWithoutMpi) {
  for (const int ranks : {0, 2}) {
    const Ending ending = run(ranks, "--version");
    EXPECT_EQ(ending.code, 0);
    EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
  }
}

TEST_F(Graph500Program, WrongUseIsSaidOnceAndEndsInTwo) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--scale 12 --colour blue", "--colour"},
      {"--scale 12 --grid 2x3",
       "isobath: rank 0 of 2: --grid 2x3 needs 6 ranks, but this run has 2; leave it out for "
       "the default"},
      {"--scale 16 --official --threads 64", "--official is refused where more threads run"},
      {"--scale 12 --root 1 --root 4095", "has no neighbour"},
  };
  const Json facts = golden(12);
  for (const auto& [arguments, sentence] : wrong) {
    const Ending ending = run(2, arguments);
    EXPECT_EQ(ending.code, 2) << arguments << "\n" << ending.errors;
    EXPECT_EQ(ending.output, "") << arguments;
    const auto first = ending.errors.find(sentence);
    EXPECT_NE(first, std::string::npos) << arguments << "\n" << ending.errors;
    EXPECT_EQ(ending.errors.find("isobath:"), ending.errors.rfind("isobath:")) << ending.errors;
  }
}

TEST_F(Graph500Program, AFileThatCannotBeWrittenEndsInThree) {
  for (const char* option : {"--record /nonexistent/r", "--record /dev/full", "--heartbeat /nonexistent/h",
                             "--edges file --edge-folder /nonexistent", "--official-spec /dev/full"}) {
    const Ending ending = run(0, std::string("--scale 6 ") + option);
    EXPECT_EQ(ending.code, 3) << option << "\n" << ending.errors;
    EXPECT_NE(ending.errors.find("isobath: rank 0 of 1: cannot"), std::string::npos) << ending.errors;
  }
}

TEST_F(Graph500Program, AFailureIsRecordedWherePossible) {
  const Ending ending = run(2, "--scale 6 --edges file --edge-folder /nonexistent" + record_option());
  EXPECT_EQ(ending.code, 3) << ending.errors;
  const std::vector<Json> all = records();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().at("kind"), "run");
  if (all.back().at("kind") != "failure") return;  // rank 1 was faster and ended rank 0
  EXPECT_EQ(all.back().at("phase"), "generate");
  EXPECT_EQ(all.back().at("rank"), 0);
  EXPECT_EQ(all.back().at("exit_code"), 3);
  EXPECT_NE(all.back().at("message").get<std::string>().find("/nonexistent"), std::string::npos);
  EXPECT_EQ(all.back().at("last_call"), "MPI_Barrier");
}

TEST_F(Graph500Program, ALauncherOfAnotherMpiIsNoticed) {
  const Ending ending = run(0, "--scale 6", {"ISOBATH_EXPECT_RANKS=4"});
  EXPECT_EQ(ending.code, 3);
  EXPECT_NE(ending.errors.find("announced 4 ranks"), std::string::npos) << ending.errors;
}

TEST_F(Graph500Program, PiecesOfMessagesGiveTheSameResult) {
  const Ending ending = run(3, "--scale 9 --keys 8" + record_option(), {"ISOBATH_MPI_COUNT_LIMIT=64"});
  ASSERT_EQ(ending.code, 0) << ending.errors;
  EXPECT_EQ(records().front().at("mpi").at("large_counts"), false);
  EXPECT_EQ(records().back().at("violations"), 0);
}

TEST_F(Graph500Program, ATermSignalSealsTheRunAsUnfinished) {
  test::RunningProgram program(graph500(0, "--scale 14 --keys 16000" + record_option()), tree_.root(),
                               {"ISOBATH_STOP_SECONDS=60"});
  ASSERT_TRUE(
      program.wait_for([&] { return tree_.read("records").find("\"index\":2,") != std::string::npos; }));
  program.send(SIGTERM);
  const Ending ending = program.end();
  EXPECT_EQ(ending.code, 3) << ending.errors;
  EXPECT_EQ(ending.output, "");
  EXPECT_NE(ending.errors.find("stopped on request"), std::string::npos) << ending.errors;
  const std::vector<Json> all = records();
  EXPECT_EQ(all.back().at("kind"), "finish");
  EXPECT_EQ(all.back().at("state"), "unfinished");
  int searches = 0;
  for (const Json& search : of_kind(all, "search")) searches += search.at("warmup").get<bool>() ? 0 : 1;
  EXPECT_EQ(all.back().at("searches_completed"), searches);
}

TEST_F(Graph500Program, AStopInTheHeartbeatFileEndsAllRanks) {
  const std::string heartbeat = tree_.path("heartbeat");
  test::RunningProgram program(
      graph500(2, "--scale 14 --keys 16000 --heartbeat " + heartbeat + record_option()), tree_.root());
  ASSERT_TRUE(
      program.wait_for([&] { return tree_.read("records").find("\"index\":2,") != std::string::npos; }));
  const std::string page = tree_.read("heartbeat");
  EXPECT_EQ(page.size(), 64U + 2 * 256);
  std::FILE* const file = std::fopen(heartbeat.c_str(), "r+b");
  ASSERT_NE(file, nullptr);
  std::fseek(file, 12, SEEK_SET);
  std::fputc(1, file);
  std::fclose(file);
  EXPECT_EQ(program.end().code, 3);
  EXPECT_EQ(records().back().at("state"), "unfinished");
}

TEST_F(Graph500Program, ASecondSignalEndsAtOnce) {
  // Twice within a second, during the first pass over a graph that takes much longer on any machine.
  test::RunningProgram program(
      graph500(0, "--scale 26 --edges regenerate --heartbeat " + tree_.path("heartbeat")), tree_.root());
  ASSERT_TRUE(
      program.wait_for([&] { return tree_.read("heartbeat").find("count_vertices") != std::string::npos; }));
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  program.send(SIGINT);
  EXPECT_EQ(program.end().code, -SIGINT);
}

}  // namespace
}  // namespace isobath
