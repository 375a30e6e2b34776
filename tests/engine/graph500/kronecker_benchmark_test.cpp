// SPDX-License-Identifier: Apache-2.0
// The benchmark as it is run: kernel 1 is given a list of edges and its size, and nothing else.
#include "graph500/kronecker_benchmark.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "base/clock.hpp"
#include "mpi_main.hpp"
#include "reference/kronecker.hpp"

namespace isobath {
namespace {

using Json = nlohmann::json;

/// A share of a list. A wrong number of vertices, where kernel 1 asks for it, makes a wrong graph.
class ClaimingShare final : public WeightedEdgeStream {
 public:
  ClaimingShare(std::vector<Edge> edges, std::int64_t claimed)
      : edges_(std::move(edges)), claimed_(claimed) {}
  std::int64_t size() const override { return std::ssize(edges_); }
  std::int64_t num_vertices() const override { return claimed_; }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    std::copy_n(edges_.begin() + first, edges.size(), edges.begin());
  }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    read(first, edges);
    std::ranges::fill(weights, 0.5F);
  }

 private:
  std::vector<Edge> edges_;
  std::int64_t claimed_;
};

std::unique_ptr<ClaimingShare> share_of(const std::vector<Edge>& all, std::int64_t claimed) {
  const Communicator& world = test::world();
  const auto [first, end] = edge_share(std::ssize(all), world.rank(), world.size());
  return std::make_unique<ClaimingShare>(std::vector(all.begin() + first, all.begin() + end), claimed);
}

struct Phases final : PhaseObserver {
  void phase(Phase begun) override { begun_.push_back(begun); }
  std::vector<Phase> begun_;
};

BenchmarkRequest request_of(int scale, const Communicator& world) {
  BenchmarkRequest request;
  request.kernels = {.bfs = true, .sssp = true};
  request.graph = {.scale = scale, .edgefactor = 4};
  request.grid = {world.size(), 1};
  request.path_plan = "delta-stepping";
  request.keys = 4;
  request.warmup_searches = 1;
  request.construction_check = true;
  return request;
}

TEST(KroneckerBenchmark, ConstructionFindsTheNumberOfVerticesItself) {
  const Communicator& world = test::world();
  const Benchmark benchmark = kronecker_benchmark(request_of(7, world), world);
  const auto list = share_of(reference::kronecker({.scale = 7, .edgefactor = 4}), 1 << 20);
  Phases phases;
  EXPECT_EQ(benchmark.construct(*list, phases)->facts().num_vertices, 128);
  EXPECT_EQ(phases.begun_.front(), Phase::count_vertices) << "inside its time, as its first phase";
  Phases path_phases;
  EXPECT_EQ(benchmark.construct_paths(*list, path_phases)->facts().num_vertices, 128);
  EXPECT_EQ(path_phases.begun_.front(), Phase::count_vertices);
}

/// No edge ends in the upper half: construction finds fewer vertices than were numbered, and all that follows
/// goes on with these.
TEST(KroneckerBenchmark, AnEmptyUpperHalfChangesNothingElse) {
  const Communicator& world = test::world();
  Benchmark benchmark = kronecker_benchmark(request_of(6, world), world);
  const std::vector<Edge> all = reference::kronecker({.scale = 5, .edgefactor = 4});
  benchmark.generate_weighted = [&all] { return share_of(all, 64); };
  const FileTree tree;
  std::optional<RecordWriter> writer;
  if (world.rank() == 0) writer.emplace(tree.path("records.jsonl"), "r1");
  Heartbeat heartbeat;
  Progress progress;
  const Session session{.world = world,
                        .heartbeat = heartbeat,
                        .records = writer ? &*writer : nullptr,
                        .progress = progress,
                        .stop_requested = [] { return false; },
                        .started = now_seconds(),
                        .threads = 2};

  const Outcome outcome = run_benchmark(benchmark, session);

  EXPECT_EQ(outcome.violations, 0);
  EXPECT_EQ(outcome.searches.size(), 4U);
  EXPECT_EQ(outcome.path_searches.size(), 4U);
  if (world.rank() != 0) return;
  std::istringstream text(tree.read("records.jsonl"));
  for (std::string line; std::getline(text, line);) {
    const Json record = Json::parse(line);
    if (record.at("kind") == "construction") {
      EXPECT_EQ(record.at("num_vertices"), 32);
      EXPECT_TRUE(record.at("phases").contains("count_vertices"));
      EXPECT_TRUE(record.at("prepared").at("by_degree"));
      if (record.at("kernel") == "bfs") {
        EXPECT_TRUE(record.at("check").at("passed"));
      }
    }
    if (record.at("kind") != "finish") continue;
    EXPECT_EQ(record.at("disclosures"), Json(outcome.disclosures));
    EXPECT_NE(line.find("two untimed warm-up searches"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace isobath
