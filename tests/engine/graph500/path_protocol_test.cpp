// SPDX-License-Identifier: Apache-2.0
// The flow of the benchmark with kernel 3, alone and after kernel 2, with plans of a page.
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "base/clock.hpp"
#include "fake_path_plan.hpp"
#include "fake_plan.hpp"
#include "graph500/protocol.hpp"
#include "mpi_main.hpp"
#include "reference/kronecker.hpp"
#include "validate/sssp_rules.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;

/// Own part of a list, with its edges and weights.
class WeightedShare final : public WeightedEdgeStream {
 public:
  WeightedShare(std::int64_t num_vertices, std::vector<Edge> edges, std::vector<float> weights)
      : edges_(std::move(edges)), weights_(std::move(weights)), stream_(num_vertices, edges_, weights_) {}
  std::int64_t size() const override { return stream_.size(); }
  std::int64_t num_vertices() const override { return stream_.num_vertices(); }
  void read(std::int64_t first, std::span<Edge> edges) const override { stream_.read(first, edges); }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    stream_.read_weighted(first, edges, weights);
  }

 private:
  std::vector<Edge> edges_;
  std::vector<float> weights_;
  SpanWeightedEdgeStream stream_;
};

class PathProtocol : public testing::Test {
 protected:
  PathProtocol() {
    benchmark_.graph = {.scale = 6, .edgefactor = 4};
    benchmark_.keys = 3;
    benchmark_.warmup_searches = 1;
    for (std::int64_t i = 0; i < 256; ++i) {
      const reference::WeightedEdge edge = reference::kronecker_edge({.scale = 6, .edgefactor = 4}, i);
      edges_.push_back(edge.edge);
      weights_.push_back(edge.weight);
    }
    benchmark_.generate_weighted = [this] {
      const auto [first, end] = edge_share(256, world_.rank(), world_.size());
      return std::make_unique<WeightedShare>(
          64, std::vector<Edge>(edges_.begin() + first, edges_.begin() + end),
          std::vector<float>(weights_.begin() + first, weights_.begin() + end));
    };
    benchmark_.construct_paths = [this](const WeightedEdgeStream& edges, PhaseObserver& observer) {
      observer.phase(Phase::prune);
      EXPECT_EQ(edges.num_vertices(), 64);
      return std::make_unique<test::FakePathPlan>(64, edges_, weights_, world_, spoil_);
    };
  }

  void with_kernel_2() {
    benchmark_.construct = [this](const EdgeStream&, PhaseObserver& observer) {
      observer.phase(Phase::count_degrees);
      return std::make_unique<test::FakePlan>(64, edges_, world_);
    };
  }

  Outcome run() {
    std::optional<RecordWriter> writer;
    if (world_.rank() == 0) writer.emplace(tree_.path("records.jsonl"), "r1");
    const Session session{.world = world_,
                          .heartbeat = heartbeat_,
                          .records = writer ? &*writer : nullptr,
                          .progress = progress_,
                          .stop_requested = [] { return false; },
                          .started = now_seconds(),
                          .threads = 8};
    return run_benchmark(benchmark_, session);
  }

  std::vector<Json> records(const std::string& kind) const {
    std::vector<Json> found;
    std::istringstream text(tree_.read("records.jsonl"));
    std::string line;
    while (std::getline(text, line)) {
      Json record = Json::parse(line);
      if (record.at("kind") == kind) found.push_back(std::move(record));
    }
    return found;
  }

  Communicator world_ = Communicator(test::world().handle());
  std::vector<Edge> edges_;
  std::vector<float> weights_;
  std::function<void(int, std::vector<float>&)> spoil_;
  Benchmark benchmark_;
  Heartbeat heartbeat_;
  Progress progress_;
  FileTree tree_;
};

TEST_F(PathProtocol, BothKernelsSearchFromTheSameKeysOneAfterTheOther) {
  with_kernel_2();

  const Outcome outcome = run();

  EXPECT_EQ(outcome.violations, 0);
  EXPECT_EQ(outcome.searches.size(), 3U);
  EXPECT_EQ(outcome.path_searches.size(), 3U);
  if (world_.rank() != 0) return;
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::int64_t>> roots;
  for (const Json& search : records("search")) {
    order.push_back(search.at("kernel"));
    roots[order.back()].push_back(search.at("root"));
  }
  EXPECT_EQ(order, (std::vector<std::string>{"bfs", "bfs", "bfs", "bfs", "sssp", "sssp", "sssp", "sssp"}));
  EXPECT_EQ(roots["bfs"], roots["sssp"]);
  const std::vector<Json> constructions = records("construction");
  ASSERT_EQ(constructions.size(), 2U);
  EXPECT_EQ(constructions[0].at("kernel"), "bfs");
  EXPECT_EQ(constructions[1].at("kernel"), "sssp");
  EXPECT_TRUE(constructions[1].at("phases").contains("prune"));
  const double sum =
      constructions[0].at("seconds").get<double>() + constructions[1].at("seconds").get<double>();
  EXPECT_DOUBLE_EQ(records("finish").at(0).at("construction_seconds").get<double>(), sum);
  EXPECT_EQ(outcome.construction_seconds, sum);
}

TEST_F(PathProtocol, ASearchForPathsHasRoundsAndDistances) {
  const Outcome outcome = run();

  EXPECT_TRUE(outcome.searches.empty());
  ASSERT_EQ(outcome.path_searches.size(), 3U);
  if (world_.rank() != 0) return;
  EXPECT_TRUE(records("level").empty());
  const std::vector<Json> rounds = records("round");
  ASSERT_EQ(rounds.size(), 6U);
  EXPECT_EQ(rounds[1].at("round"), 1);
  EXPECT_EQ(rounds[1].at("active_vertices"), 2);
  EXPECT_EQ(rounds[1].at("arcs_relaxed"), 10 * world_.size());
  EXPECT_TRUE(rounds[1].at("phases").contains("relax"));
  const Json search = records("search").at(1);
  EXPECT_EQ(search.at("rounds"), 2);
  EXPECT_FALSE(search.contains("levels"));
  EXPECT_EQ(search.at("validation").at("rules").size(), num_sssp_rules);
  EXPECT_EQ(search.at("validation").at("passed"), true);
  const reference::ShortestPathTree tree =
      reference::dijkstra(reference::weighted_adjacency(64, edges_, weights_),
                          GlobalVertex{search.at("root").get<std::int64_t>()});
  double sum = 0;
  double longest = 0;
  int reached = 0;
  for (const float distance : tree.distances) {
    if (distance == reference::no_distance) continue;
    sum += double{distance};
    longest = std::max(longest, double{distance});
    ++reached;
  }
  EXPECT_EQ(search.at("vertices_reached"), reached);
  EXPECT_NEAR(search.at("distances").at("mean").get<double>(), sum / reached, 1e-12);
  EXPECT_EQ(search.at("distances").at("max").get<double>(), longest);
}

TEST_F(PathProtocol, AWrongDistanceIsAViolation) {
  spoil_ = [](int search, std::vector<float>& distances) {
    if (search != 2) return;
    for (float& distance : distances) distance *= 2;  // the warm-up is search 0
  };

  const Outcome outcome = run();

  EXPECT_GT(outcome.violations, 0);
  if (world_.rank() != 0) return;
  const std::vector<Json> searches = records("search");
  EXPECT_EQ(searches[1].at("validation").at("passed"), true);
  EXPECT_EQ(searches[2].at("validation").at("passed"), false);
  EXPECT_TRUE(searches[2].at("validation").contains("first_violation"));
}

TEST_F(PathProtocol, ParentsAndDistancesAreWrittenInTheOrderOfTheSearches) {
  with_kernel_2();
  const std::string folder = world_.broadcast(tree_.root().string(), 0);
  benchmark_.parents_file = folder + "/parents";
  benchmark_.distances_file = folder + "/distances";

  run();

  world_.barrier();
  if (world_.rank() != 0) return;
  EXPECT_EQ(std::filesystem::file_size(benchmark_.parents_file), 6U * 64U * 8U);
  const std::string bytes = tree_.read("distances");
  ASSERT_EQ(bytes.size(), 3U * 64U * 4U);
  std::vector<float> distances(64);
  std::memcpy(distances.data(), bytes.data() + 2 * 64 * 4, 64 * 4);
  const auto root = GlobalVertex{records("search").back().at("root").get<std::int64_t>()};
  EXPECT_EQ(distances,
            reference::dijkstra(reference::weighted_adjacency(64, edges_, weights_), root).distances);
}

}  // namespace
}  // namespace isobath
