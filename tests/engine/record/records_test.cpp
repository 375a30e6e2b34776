// SPDX-License-Identifier: Apache-2.0
#include "record/records.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "record/collective.hpp"
#include "record/communication.hpp"
#include "record/overlap.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;

TEST(Records, EachIsOneLineWithTheFourFieldsOfEveryRecord) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"run", to_line(RunRecord{}, "r1")},          {"construction", to_line(ConstructionRecord{}, "r1")},
      {"search", to_line(SearchRecord{}, "r1")},    {"level", to_line(LevelRecord{}, "r1")},
      {"finish", to_line(FinishRecord{}, "r1")},    {"failure", to_line(FailureRecord{}, "r1")},
      {"calls", to_line(CallsRecord{}, "r1")},      {"traffic_matrix", to_line(TrafficMatrixRecord{}, "r1")},
      {"mpi_time", to_line(MpiTimeRecord{}, "r1")}, {"message_sizes", to_line(MessageSizesRecord{}, "r1")},
      {"launch", to_line(LaunchRecord{}, "r1")},    {"collective", to_line(CollectiveRecord{}, "r1")},
      {"overlap", to_line(OverlapRecord{}, "r1")},
  };
  for (const auto& [kind, line] : lines) {
    const Json json = Json::parse(line);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(json.at("schema"), 1) << line;
    EXPECT_EQ(json.at("kind"), kind) << line;
    EXPECT_EQ(json.at("run_id"), "r1") << line;
    EXPECT_EQ(json.at("origin"), "measured") << line;
    EXPECT_EQ(line.find("null"), std::string::npos) << "absent, never null: " << line;
  }
}

TEST(Records, DoublesComeBackExactly) {
  SearchRecord search;
  search.seconds = 0.1;
  search.seconds_min = 1.0 / 3.0;
  search.teps = 8123456789.0123456;
  search.started_seconds = std::numeric_limits<double>::denorm_min();

  const Json json = Json::parse(to_line(search, "r1"));

  EXPECT_EQ(json.at("seconds").get<double>(), 0.1);
  EXPECT_EQ(json.at("seconds_min").get<double>(), 1.0 / 3.0);
  EXPECT_EQ(json.at("teps").get<double>(), 8123456789.0123456);
  EXPECT_EQ(json.at("started_seconds").get<double>(), std::numeric_limits<double>::denorm_min());
  EXPECT_NE(to_line(search, "r1").find("\"seconds\":0.1,"), std::string::npos) << "in its shortest form";
}

TEST(Records, NumbersThatAreNotFiniteAreRefusedByName) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SearchRecord search;
    search.teps = value;
    try {
      to_line(search, "r1");
      FAIL() << "not refused";
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find("teps"), std::string::npos) << error.what();
    }
  }
  LevelRecord level;
  level.phases = {{Phase::expand, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_THROW(to_line(level, "r1"), InternalError);
}

TEST(Records, OfCommunicationHaveTheFieldsOfTheirNames) {
  CallCellRecord cell;
  cell.phase = Phase::fold;
  cell.call = "alltoallv";
  cell.wait_seconds_max = 0.5;
  const Json calls = Json::parse(to_line(CallsRecord{.search = 3, .cells = {cell}}, "r1"));
  EXPECT_EQ(calls.at("search"), 3);
  EXPECT_EQ(calls.at("cells").at(0).at("level"), -1);
  EXPECT_EQ(calls.at("cells").at(0).at("phase"), "fold");
  EXPECT_EQ(calls.at("cells").at(0).at("wait_seconds_max"), 0.5);

  TrafficMatrixRecord matrix;
  matrix.phase = Phase::expand;
  matrix.bytes = {{0, 1}, {2, 0}};
  const Json whole = Json::parse(to_line(matrix, "r1"));
  EXPECT_EQ(whole.at("bytes").at(1).at(0), 2);
  EXPECT_EQ(whole.at("phase"), "expand");
  EXPECT_FALSE(whole.contains("search"));
  matrix.phase.reset();
  matrix.search = 0;
  EXPECT_FALSE(Json::parse(to_line(matrix, "r1")).contains("phase"));
  EXPECT_EQ(Json::parse(to_line(matrix, "r1")).at("search"), 0);

  MessageSizesRecord sizes;
  sizes.seconds = {0.25};
  EXPECT_EQ(Json::parse(to_line(sizes, "r1")).at("seconds").at(0), 0.25);
  sizes.seconds = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(to_line(sizes, "r1"), InternalError);

  MpiTimeRecord cost;
  cost.share_of_wall = {0, 0.5, 1};
  const Json time = Json::parse(to_line(cost, "r1"));
  EXPECT_EQ(time.at("share_of_wall").at("mean"), 0.5);
}

TEST(Records, AnOverlapHasTimesOrTheReasonWhyNot) {
  OverlapRecord record;
  record.parts = {{"blocking", {.together_nanoseconds = {12}, .rank_nanoseconds = {{10}, {11}}}}};
  record.inside = {{"wait", {{3}, {4}}}};
  const Json timed = Json::parse(to_line(record, "r1"));
  EXPECT_EQ(timed.at("parts").at("blocking").at("together_nanoseconds").at(0), 12);
  EXPECT_EQ(timed.at("parts").at("blocking").at("rank_nanoseconds").at(1).at(0), 11);
  EXPECT_EQ(timed.at("inside").at("wait").at(1).at(0), 4);
  EXPECT_EQ(timed.at("data_check"), "passed");
  record.not_runnable = "needs a spare processor";
  const Json refused = Json::parse(to_line(record, "r1"));
  for (const char* name : {"parts", "inside", "invalid", "data_check"})
    EXPECT_FALSE(refused.contains(name)) << name;
}

TEST(Records, ACollectiveHasTimesOrTheReasonWhyNot) {
  CollectiveRecord record;
  record.entry_nanoseconds = {{0, 10}, {1, 12}};
  record.exit_nanoseconds = {{5, 15}, {6, 17}};
  record.stopped_because = "most";
  const Json timed = Json::parse(to_line(record, "r1"));
  EXPECT_EQ(timed.at("entry_nanoseconds").at(1).at(0), 1);
  EXPECT_EQ(timed.at("exit_nanoseconds").at(0).at(1), 15);
  EXPECT_EQ(timed.at("data_check"), "passed");
  for (const char* name :
       {"batch_starts", "slowest_nanoseconds", "data_check_failure", "operation", "root_rank", "algorithm"}) {
    EXPECT_FALSE(timed.contains(name)) << name;
  }
  record.data_check_failure = "byte 3 of rank 1";
  EXPECT_EQ(Json::parse(to_line(record, "r1")).at("data_check"), "failed");

  record.not_runnable = "needs 4.3 GB, has 2.1 GB";
  const Json refused = Json::parse(to_line(record, "r1"));
  EXPECT_EQ(refused.at("not_runnable"), "needs 4.3 GB, has 2.1 GB");
  for (const char* name : {"entry_nanoseconds", "exit_nanoseconds", "warm_up_repetitions", "invalid",
                           "context_switches", "stopped_because", "data_check"}) {
    EXPECT_FALSE(refused.contains(name)) << name;
  }
}

TEST(Records, WhatDoesNotExistIsAbsent) {
  const Json bare = Json::parse(to_line(RunRecord{}, "r1"));
  EXPECT_FALSE(bare.contains("switches"));
  EXPECT_FALSE(bare.contains("tasks"));
  RunRecord switched;
  switched.switches = {{"ids", "32"}, {"likely-parents", "off"}};
  EXPECT_EQ(Json::parse(to_line(switched, "r1")).at("switches"),
            (Json{{"ids", 32}, {"likely_parents", "off"}}));
  const Json search = Json::parse(to_line(SearchRecord{}, "r1"));
  for (const char* name : {"vertices_reached", "levels", "vertices_per_level", "validation"}) {
    EXPECT_FALSE(search.contains(name)) << name;
  }
  const Json construction = Json::parse(to_line(ConstructionRecord{}, "r1"));
  EXPECT_FALSE(construction.contains("check"));
  EXPECT_FALSE(construction.contains("imbalance"));
  const Json failure = Json::parse(to_line(FailureRecord{}, "r1"));
  for (const char* name : {"rank", "signal", "last_call"}) EXPECT_FALSE(failure.contains(name)) << name;
  RunRecord run;
  run.hosts.emplace_back();
  const Json host = Json::parse(to_line(run, "r1")).at("hosts").at(0);
  EXPECT_FALSE(host.contains("l3_bytes"));
  EXPECT_FALSE(host.contains("cgroup_memory_bytes"));
  EXPECT_TRUE(host.contains("cores"));
}

TEST(Records, AValidatedSearchTellsRulesAndLevels) {
  SearchRecord search;
  search.vertices_reached = 5;
  search.levels = 3;
  search.vertices_per_level = {1, 2, 2};
  search.phases = {{Phase::reset, 0.25}, {Phase::emit, 0.5}};
  search.validation = ValidationRecord{false, 0.5, "rule tree: 1 violation", {{"tree", 1, 7, std::nullopt}}};

  const Json json = Json::parse(to_line(search, "r1"));

  EXPECT_EQ(json.at("vertices_per_level"), Json({1, 2, 2}));
  EXPECT_EQ(json.at("phases"), Json({{"reset", 0.25}, {"emit", 0.5}}));
  EXPECT_EQ(json.at("validation").at("first_violation"), "rule tree: 1 violation");
  const Json rule = json.at("validation").at("rules").at(0);
  EXPECT_EQ(rule, Json({{"rule", "tree"}, {"violations", 1}, {"first_vertex", 7}}));
}

TEST(Records, AFinishAddsUpThePeaksOfTheRanks) {
  FinishRecord finish;
  finish.state = "complete";
  finish.peak_bytes_per_rank = {100, 250};
  const Json json = Json::parse(to_line(finish, "r1"));
  EXPECT_EQ(json.at("peak_bytes"), 350);
  EXPECT_EQ(json.at("peak_bytes_per_rank"), Json({100, 250}));
}

TEST(Records, BytesThatAreNoTextBecomeTheReplacementCharacter) {
  RunRecord run;
  run.argv = {"isobath", "--record", "caf\xe9"};
  const Json json = Json::parse(to_line(run, "r1"));
  EXPECT_EQ(json.at("argv").at(2), "caf\xef\xbf\xbd");
}

TEST(Records, FactsSurviveTheWayFromRankToRank) {
  HostFacts host;
  host.hostname = "node \"7\"";
  host.cores = 48;
  host.l3_bytes = 1 << 25;
  host.cgroup_cpus = 1.5;
  host.huge_pages = "madvise";
  const HostFacts same = host_facts_from_json(to_json(host));
  EXPECT_EQ(same.hostname, host.hostname);
  EXPECT_EQ(same.cores, 48);
  EXPECT_EQ(same.l3_bytes, host.l3_bytes);
  EXPECT_EQ(same.cgroup_cpus, host.cgroup_cpus);
  EXPECT_EQ(same.huge_pages, host.huge_pages);
  EXPECT_EQ(same.sockets, std::nullopt);

  const BindingFacts binding{3, "node7", 4711, "0-1", {"0", "1"}};
  const BindingFacts copy = binding_from_json(to_json(binding));
  EXPECT_EQ(copy.rank, 3);
  EXPECT_EQ(copy.pid, 4711);
  EXPECT_EQ(copy.cpus, "0-1");
  EXPECT_EQ(copy.thread_cpus, binding.thread_cpus);
  EXPECT_THROW(binding_from_json("nonsense"), InternalError);
}

}  // namespace
}  // namespace isobath
