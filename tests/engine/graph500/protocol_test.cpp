// SPDX-License-Identifier: Apache-2.0
// The flow of the benchmark with a plan of a page: what is recorded when, and what happens when things go
// wrong.
#include "graph500/protocol.hpp"

#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "base/clock.hpp"
#include "fake_plan.hpp"
#include "mpi_main.hpp"
#include "reference/kronecker.hpp"
#include "validate/bfs_rules.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;
using test::FakeBehaviour;
using test::FakePlan;

/// Edges of a vector that outlives the stream.
class Share final : public EdgeStream {
 public:
  Share(std::int64_t num_vertices, std::vector<Edge> edges)
      : num_vertices_(num_vertices), edges_(std::move(edges)) {}
  std::int64_t size() const override { return std::ssize(edges_); }
  std::int64_t num_vertices() const override { return num_vertices_; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    std::copy_n(edges_.begin() + first, edges.size(), edges.begin());
  }

 private:
  std::int64_t num_vertices_;
  std::vector<Edge> edges_;
};

/// One run of the protocol and its records.
class ProtocolTest : public testing::Test {
 protected:
  ProtocolTest() {
    benchmark_.graph = {.scale = 6, .edgefactor = 4};
    all_edges_ = reference::kronecker({.scale = 6, .edgefactor = 4});
    benchmark_.keys = 3;
    benchmark_.generate = [this] {
      const auto [first, end] = edge_share(std::ssize(all_edges_), world_.rank(), world_.size());
      std::vector<Edge> own(all_edges_.begin() + first, all_edges_.begin() + end);
      return std::make_unique<Share>(benchmark_.graph.num_vertices(), std::move(own));
    };
    benchmark_.construct = [this](const EdgeStream& edges, PhaseObserver& observer) {
      observer.phase(Phase::count_degrees);
      std::vector<Edge> own(static_cast<std::size_t>(edges.size()));
      edges.read(0, own);
      observer.phase(Phase::deliver_arcs);
      const std::vector<Edge> all = world_.allgatherv<Edge>(own);
      return std::make_unique<FakePlan>(edges.num_vertices(), all, world_, behaviour_);
    };
  }

  Outcome run(CommunicationRecords* communication = nullptr) {
    std::optional<RecordWriter> writer;
    if (world_.rank() == 0) writer.emplace(tree_.path("records.jsonl"), "r1");
    const Session session{.world = world_,
                          .heartbeat = heartbeat_,
                          .records = writer ? &*writer : nullptr,
                          .progress = progress_,
                          .communication = communication,
                          .stop_requested = stop_requested_,
                          .started = now_seconds(),
                          .threads = 8};
    return run_benchmark(benchmark_, session);
  }

  /// All records so far, on rank 0; none elsewhere.
  std::vector<Json> records() const {
    std::vector<Json> lines;
    std::istringstream text(tree_.read("records.jsonl"));
    std::string line;
    while (std::getline(text, line)) lines.push_back(Json::parse(line));
    return lines;
  }
  std::vector<Json> records(const std::string& kind) const {
    std::vector<Json> found;
    for (const Json& record : records()) {
      if (record.at("kind") == kind) found.push_back(record);
    }
    return found;
  }

  Communicator world_ = Communicator(test::world().handle());
  std::vector<Edge> all_edges_;
  Benchmark benchmark_;
  FakeBehaviour behaviour_;
  Heartbeat heartbeat_;
  Progress progress_;
  std::function<bool()> stop_requested_ = [] { return false; };
  FileTree tree_;
};

TEST_F(ProtocolTest, ACompleteRunRecordsEverythingInOrder) {
  benchmark_.warmup_searches = 1;
  benchmark_.construction_check = true;

  const Outcome outcome = run();

  EXPECT_EQ(outcome.searches.size(), 3U);
  EXPECT_EQ(outcome.violations, 0);
  EXPECT_FALSE(outcome.stopped);
  if (world_.rank() != 0) return;
  const std::vector<Json> all = records();
  ASSERT_GE(all.size(), 8U);
  EXPECT_EQ(all.front().at("kind"), "construction");
  EXPECT_EQ(all[1].at("kind"), "search");
  EXPECT_EQ(all[1].at("warmup"), true);
  EXPECT_EQ(all.back().at("kind"), "finish");
  EXPECT_EQ(all.back().at("state"), "complete");
  EXPECT_EQ(all.back().at("searches_completed"), 3);
  EXPECT_EQ(all.back().at("peak_bytes_per_rank").size(), static_cast<std::size_t>(world_.size()));

  const Json& construction = all.front();
  EXPECT_EQ(construction.at("num_vertices"), 64);
  EXPECT_EQ(construction.at("num_edges"), 256);
  EXPECT_EQ(construction.at("check").at("passed"), true);
  EXPECT_EQ(construction.at("retrieval_seconds"), 0.0);
  EXPECT_TRUE(construction.at("phases").contains("count_degrees"));
  EXPECT_TRUE(construction.at("phases").contains("deliver_arcs"));
  EXPECT_GT(construction.at("seconds"), 0);
}

TEST_F(ProtocolTest, ASearchIsTimedCountedAndValidated) {
  const Outcome outcome = run();
  if (world_.rank() != 0) return;
  const std::vector<Json> searches = records("search");
  ASSERT_EQ(searches.size(), 3U);
  std::set<std::int64_t> roots;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& search = searches[i];
    roots.insert(search.at("root").get<std::int64_t>());
    EXPECT_EQ(search.at("index"), static_cast<int>(i));
    EXPECT_EQ(search.at("warmup"), false);
    EXPECT_EQ(search.at("validation").at("passed"), true) << search;
    EXPECT_EQ(search.at("validation").at("rules").size(), num_bfs_rules);
    const double seconds = search.at("seconds");
    EXPECT_EQ(seconds, outcome.searches[i].seconds);
    EXPECT_GE(seconds, search.at("seconds_mean"));
    EXPECT_GE(search.at("seconds_mean"), search.at("seconds_min"));
    EXPECT_DOUBLE_EQ(search.at("teps"), search.at("traversed_edges").get<double>() / seconds);
    EXPECT_GE(search.at("traversed_edges_with_self_loops"), search.at("traversed_edges"));
    const auto levels = search.at("levels").get<int>();
    EXPECT_EQ(search.at("bytes_sent"), 8 * levels * world_.size());
    double phases = 0;
    for (const auto& [name, value] : search.at("phases").items()) phases += value.get<double>();
    EXPECT_GT(phases, 0);
    std::int64_t vertices = 0;
    for (const Json& count : search.at("vertices_per_level")) vertices += count.get<std::int64_t>();
    EXPECT_EQ(search.at("vertices_reached"), vertices);
  }
  EXPECT_EQ(roots.size(), 3U) << "keys are distinct";
}

TEST_F(ProtocolTest, LevelsComeBeforeTheirSearchAndAddUpToIt) {
  benchmark_.warmup_searches = 1;
  run();
  if (world_.rank() != 0) return;
  std::vector<Json> levels;
  for (const Json& record : records()) {
    if (record.at("kind") == "level") levels.push_back(record);
    if (record.at("kind") != "search" || record.at("warmup").get<bool>()) continue;
    ASSERT_EQ(levels.size(), record.at("levels").get<std::size_t>());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      EXPECT_EQ(levels[i].at("search"), record.at("index"));
      EXPECT_EQ(levels[i].at("level"), static_cast<int>(i));
      EXPECT_EQ(levels[i].at("frontier_vertices"), record.at("vertices_per_level").at(i));
      EXPECT_EQ(levels[i].at("direction"), i == 1 ? "bottom_up" : "top_down");
      EXPECT_EQ(levels[i].at("bytes_sent").at("expand"), 8 * world_.size());
      EXPECT_EQ(levels[i].at("arcs_scanned"), 10 * (static_cast<int>(i) + 1) * world_.size());
    }
    levels.clear();
  }
}

TEST_F(ProtocolTest, CommunicationIsRecordedInTheFourPartsOfTheRun) {
  const std::vector<int> nodes(static_cast<std::size_t>(world_.size()), 0);
  Ledger ledger({.rank = world_.rank(), .node_of_rank = nodes, .buckets = {}, .clock = {}});
  world_.keep(&ledger);
  CommunicationRecords communication(world_, ledger, {.clock_of_rank = nodes, .shape = {1, world_.size()}});
  benchmark_.warmup_searches = 1;

  run(&communication);

  if (world_.rank() != 0) return;
  const std::vector<Json> calls = records("calls");
  ASSERT_EQ(calls.size(), 3U) << "none of the warm-up";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(calls[static_cast<std::size_t>(i)].at("search"), i);
  EXPECT_TRUE(calls[0].at("cells").empty()) << "the plan of a page only pretends to send";
  for (const Json& search : records("search")) {
    EXPECT_EQ(search.at("seconds_per_rank").size(), static_cast<std::size_t>(world_.size()));
    EXPECT_EQ(search.at("clock_error_seconds"), 0.0) << "one node";
  }
  std::set<std::string> parts;
  for (const Json& matrix : records("traffic_matrix")) parts.insert(matrix.at("part").get<std::string>());
  EXPECT_EQ(parts, (std::set<std::string>{"generate", "construct", "validate"})) << "searches had no call";
  std::set<std::string> timed;
  for (const Json& time : records("mpi_time")) timed.insert(time.at("part").get<std::string>());
  EXPECT_EQ(timed.size(), world_.size() == 1 ? 0U : 3U);
  EXPECT_EQ(records().back().at("kind"), "finish") << "is the last line";
}

TEST_F(ProtocolTest, NothingIsWrittenWhileTheClockRuns) {
  std::uintmax_t size_at_reset = 0;
  const auto size = [this] {
    return world_.rank() == 0 ? std::filesystem::file_size(tree_.path("records.jsonl")) : 0;
  };
  behaviour_.begins = [&](int) { size_at_reset = size(); };
  behaviour_.spoil = [&](int, std::vector<GlobalVertex>&) { EXPECT_EQ(size(), size_at_reset); };
  run();
}

TEST_F(ProtocolTest, AFailedValidationIsCountedAndTheRunGoesOn) {
  behaviour_.spoil = [](int search, std::vector<GlobalVertex>& parents) {
    if (search != 2) return;
    for (GlobalVertex& parent : parents) {  // the root is the one that is its own parent
      if (parent == no_vertex) parent = GlobalVertex{1 << 20};
    }
    parents[0] = GlobalVertex{1 << 20};
  };

  const Outcome outcome = run();

  EXPECT_GT(outcome.violations, 0);
  EXPECT_EQ(outcome.searches.size(), 3U);
  if (world_.rank() != 0) return;
  const std::vector<Json> searches = records("search");
  ASSERT_EQ(searches.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(searches[i].at("validation").at("passed"), i != 2);
  EXPECT_NE(searches[2].at("validation").at("first_violation").get<std::string>().find("parent_range"),
            std::string::npos);
  EXPECT_EQ(records("finish").at(0).at("violations"), outcome.violations);
  EXPECT_EQ(records("finish").at(0).at("state"), "complete");
}

TEST_F(ProtocolTest, ATraversedEdgeTooManyIsAViolation) {
  behaviour_.edges_too_many = 1;
  const Outcome outcome = run();
  EXPECT_EQ(outcome.violations, 3) << "one in every search";
  if (world_.rank() != 0) return;
  EXPECT_NE(records("search")
                .at(0)
                .at("validation")
                .at("first_violation")
                .get<std::string>()
                .find("traversed_edges"),
            std::string::npos);
}

TEST_F(ProtocolTest, AnArcThatConstructionLostIsAViolation) {
  behaviour_.missing_arcs = 3;
  benchmark_.construction_check = true;
  const Outcome outcome = run();
  EXPECT_EQ(outcome.violations, 6) << "three missing, and so three too few";
  if (world_.rank() != 0) return;
  EXPECT_EQ(records("construction").at(0).at("check").at("missing_arcs"), 3);
  EXPECT_EQ(records("construction").at(0).at("check").at("passed"), false);
}

TEST_F(ProtocolTest, AnArcThatNoEdgeFoundIsAViolation) {
  behaviour_.invented_arcs = 1;
  benchmark_.construction_check = true;
  EXPECT_EQ(run().violations, 2) << "one unfounded, and so one too many";
  if (world_.rank() != 0) return;
  EXPECT_EQ(records("construction").at(0).at("check").at("unfounded_arcs"), 1);
  EXPECT_EQ(records("construction").at(0).at("check").at("passed"), false);
}

/// Construction and look-up that share a mistake: only the count apart says no.
TEST_F(ProtocolTest, AnEdgeThatPlanAndLookUpBothDropIsAViolation) {
  behaviour_.dropped_arcs = 2;
  benchmark_.construction_check = true;
  EXPECT_EQ(run().violations, 2);
  if (world_.rank() != 0) return;
  const auto check = records("construction").at(0).at("check");
  EXPECT_EQ(check.at("missing_arcs"), 0);
  EXPECT_EQ(check.at("unfounded_arcs"), 0);
  EXPECT_EQ(check.at("expected_arcs").get<std::int64_t>(), check.at("arcs").get<std::int64_t>() + 2);
  EXPECT_EQ(check.at("passed"), false);
}

/// The same where the validator's copy of the edges counts; a right run passes.
TEST_F(ProtocolTest, ACopyOfTheEdgesSeesThatEdgeToo) {
  benchmark_.construction_check = true;
  benchmark_.validation_copy = true;
  EXPECT_EQ(run().violations, 0);
  behaviour_.dropped_arcs = 2;
  EXPECT_EQ(run().violations, 2);
}

TEST_F(ProtocolTest, AStopDuringASearchDropsThatSearch) {
  bool stop = false;
  behaviour_.begins = [&](int search) { stop = search == 2 && world_.rank() == world_.size() - 1; };
  stop_requested_ = [&] { return stop; };

  const Outcome outcome = run();

  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.searches.size(), 2U);
  if (world_.rank() != 0) return;
  EXPECT_EQ(records("search").size(), 2U);
  for (const Json& level : records("level")) EXPECT_LT(level.at("search"), 2);
  EXPECT_EQ(records().back().at("state"), "unfinished");
  EXPECT_EQ(records().back().at("searches_completed"), 2);
  EXPECT_TRUE(records().back().contains("construction_seconds"));
}

TEST_F(ProtocolTest, AStopBeforeTheStartLeavesOnlyAFinish) {
  stop_requested_ = [] { return true; };
  const Outcome outcome = run();
  EXPECT_TRUE(outcome.stopped);
  if (world_.rank() != 0) return;
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records().back().at("state"), "unfinished");
  EXPECT_FALSE(records().back().contains("graph_generation_seconds"));
  EXPECT_FALSE(records().back().contains("construction_seconds"));
}

TEST_F(ProtocolTest, WithoutValidationNothingIsSaidOfIt) {
  benchmark_.validation = false;
  behaviour_.spoil = [](int, std::vector<GlobalVertex>& parents) {
    parents.assign(parents.size(), no_vertex);
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.violations, 0);
  EXPECT_FALSE(outcome.searches.at(0).validation_seconds.has_value());
  if (world_.rank() != 0) return;
  for (const Json& search : records("search")) {
    EXPECT_FALSE(search.contains("validation"));
    EXPECT_FALSE(search.contains("vertices_reached"));
  }
}

TEST_F(ProtocolTest, RetrievedEdgesAreTimedInsideConstruction) {
  benchmark_.edges_are_retrieved = true;
  run();
  if (world_.rank() != 0) return;
  const Json construction = records("construction").at(0);
  EXPECT_GT(construction.at("retrieval_seconds"), 0.0);
  EXPECT_LE(construction.at("retrieval_seconds"), construction.at("seconds"));
}

TEST_F(ProtocolTest, GivenRootsAreSearchedInTheirOrder) {
  const reference::Adjacency graph = reference::adjacency(64, all_edges_);
  std::vector<GlobalVertex> usable;
  GlobalVertex isolated = no_vertex;
  for (std::int64_t v = 63; v >= 0; --v) {
    if (graph.neighbours[static_cast<std::size_t>(v)].empty()) {
      isolated = GlobalVertex{v};
    } else {
      usable.push_back(GlobalVertex{v});
    }
  }
  ASSERT_GE(usable.size(), 3U);
  ASSERT_NE(isolated, no_vertex);
  benchmark_.roots = {usable[1], usable[0], usable[1]};
  run();
  if (world_.rank() == 0) {
    const std::vector<Json> searches = records("search");
    ASSERT_EQ(searches.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(searches[i].at("root"), raw(benchmark_.roots[i]));
  }

  benchmark_.roots = {usable[0], isolated};
  try {
    run();
    FAIL() << "searched from an isolated vertex";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(raw(isolated))), std::string::npos)
        << error.what();
  }
}

TEST_F(ProtocolTest, AGraphOfSelfLoopsHasNothingToSearch) {
  all_edges_.assign(32, Edge{GlobalVertex{3}, GlobalVertex{3}});
  EXPECT_THROW(run(), UsageError);
}

}  // namespace
}  // namespace isobath
