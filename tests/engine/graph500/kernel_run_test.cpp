// SPDX-License-Identifier: Apache-2.0
// The kernels of a run one by one, with plans of a page.
#include "graph500/kernel_run.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../record/file_tree.hpp"
#include "fake_path_plan.hpp"
#include "fake_plan.hpp"
#include "mpi_main.hpp"
#include "reference/kronecker.hpp"

namespace isobath {
namespace {

using test::world;

constexpr reference::Kronecker run_graph{.scale = 6, .edgefactor = 4};
constexpr std::int64_t run_vertices = 64;

/// This rank's part of a list, which takes a millisecond to be read from.
class SlowShare final : public WeightedEdgeStream {
 public:
  SlowShare(std::span<const Edge> edges, std::span<const float> weights)
      : stream_(run_vertices, edges, weights) {}
  std::int64_t size() const override { return stream_.size(); }
  std::int64_t num_vertices() const override { return stream_.num_vertices(); }
  void read(std::int64_t first, std::span<Edge> edges) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stream_.read(first, edges);
  }
  void read_weighted(std::int64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stream_.read_weighted(first, edges, weights);
  }

 private:
  SpanWeightedEdgeStream stream_;
};

class KernelRunTest : public testing::Test {
 protected:
  KernelRunTest() {
    const auto count = std::int64_t{run_graph.edgefactor} << run_graph.scale;
    for (std::int64_t i = 0; i < count; ++i) {
      const reference::WeightedEdge edge = reference::kronecker_edge(run_graph, i);
      edges_.push_back(edge.edge);
      weights_.push_back(edge.weight);
    }
    const auto [first, end] = edge_share(count, world().rank(), world().size());
    const auto begin = static_cast<std::size_t>(first);
    const auto size = static_cast<std::size_t>(end - first);
    std::unique_ptr<WeightedEdgeStream> share =
        std::make_unique<SlowShare>(std::span<const Edge>(edges_).subspan(begin, size),
                                    std::span<const float>(weights_).subspan(begin, size));
    own_ = RunEdges(std::move(share));
  }

  void with_bfs() {
    benchmark_.construct = [this](const EdgeStream& edges, PhaseObserver&) {
      given_ = &edges;
      std::vector<Edge> read(static_cast<std::size_t>(edges.size()));
      edges.read(0, read);
      return std::make_unique<test::FakePlan>(run_vertices, edges_, world());
    };
  }
  void with_sssp() {
    benchmark_.construct_paths = [this](const WeightedEdgeStream& edges, PhaseObserver&) {
      given_ = &edges;
      std::vector<Edge> read(static_cast<std::size_t>(edges.size()));
      std::vector<float> weights(read.size());
      edges.read_weighted(0, read, weights);
      return std::make_unique<test::FakePathPlan>(run_vertices, edges_, weights_, world());
    };
  }

  /// The only kernel, constructed.
  std::unique_ptr<KernelRun> constructed() {
    std::vector<std::unique_ptr<KernelRun>> runs = kernel_runs(benchmark_);
    EXPECT_EQ(runs.size(), 1U);
    runs[0]->construct(own_, nullptr, observer_);
    return std::move(runs[0]);
  }
  GlobalVertex root_of(const KernelRun& run) const {
    for (std::int64_t v = 0; v < run_vertices; ++v) {
      if (run.plan().has_neighbour(std::vector{GlobalVertex{v}})[0] != 0) return GlobalVertex{v};
    }
    return no_vertex;
  }
  static ClaimedEdges claimed_by(const SearchPlan& plan, GlobalVertex root) {
    const TraversedEdges traversed = plan.traversed_edges(root);
    return {traversed.without_self_loops, traversed.self_loops};
  }
  /// The kind of the record that a kernel writes of a level.
  nlohmann::json level_of(const KernelRun& run) const {
    const std::string path = tree_.path(std::string(name_of(run.kernel())));
    {
      RecordWriter records(path, "r1");
      LevelRecord level;
      level.level = 4;
      level.frontier_vertices = 17;
      run.write(records, level);
    }
    return nlohmann::json::parse(tree_.read(std::string(name_of(run.kernel()))));
  }

  std::vector<Edge> edges_;
  std::vector<float> weights_;
  RunEdges own_;
  Benchmark benchmark_;
  const EdgeStream* given_ = nullptr;
  SearchObserver observer_;
  FileTree tree_;
};

TEST_F(KernelRunTest, ThereAreThoseThatTheBenchmarkAsksForInOrder) {
  EXPECT_TRUE(kernel_runs(benchmark_).empty());
  with_sssp();
  std::vector<std::unique_ptr<KernelRun>> runs = kernel_runs(benchmark_);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0]->kernel(), Kernel::sssp);
  with_bfs();
  runs = kernel_runs(benchmark_);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]->kernel(), Kernel::bfs);
  EXPECT_EQ(runs[1]->kernel(), Kernel::sssp);
}

TEST_F(KernelRunTest, ConstructionIsGivenTheListItselfUnlessItsRetrievalIsTimed) {
  with_bfs();
  with_sssp();
  for (const auto& run : kernel_runs(benchmark_)) {
    run->construct(own_, nullptr, observer_);
    EXPECT_EQ(given_, &own_.list());
    RetrievalClock clock(1);
    run->construct(own_, &clock, observer_);
    EXPECT_NE(given_, &own_.list());
    EXPECT_GE(clock.seconds(), 0.001);
    EXPECT_EQ(run->plan().name(), "fake");
  }
}

TEST_F(KernelRunTest, Kernel2ValidatesParents) {
  with_bfs();
  const auto run = constructed();
  EXPECT_FALSE(run->has_validator());
  EXPECT_FALSE(run->distinct_edges());
  EXPECT_EQ(run->edges_by_rows(), nullptr);
  run->open_validator(world(), own_, ListCopy::no);
  ASSERT_TRUE(run->has_validator());
  EXPECT_FALSE(run->has_copy());
  const GlobalVertex root = root_of(*run);
  const FoundTree found = run->plan().search(root, observer_);
  const ClaimedEdges claimed = claimed_by(run->plan(), root);
  EXPECT_EQ(std::get<BfsValidation>(run->validate(root, found, claimed)).first_violation(), "");
  std::vector<GlobalVertex> spoiled(found.parents.begin(), found.parents.end());
  const BlockPartition& partition = run->plan().partition();
  const std::int64_t at = raw(root) - partition.first(world().rank());
  if (at >= 0 && at < std::ssize(spoiled)) spoiled[static_cast<std::size_t>(at)] = no_vertex;
  EXPECT_FALSE(std::get<BfsValidation>(run->validate(root, {.parents = spoiled}, claimed)).passed());
}

TEST_F(KernelRunTest, Kernel2KnowsHowToKeepACopy) {
  with_bfs();
  const auto run = constructed();
  EXPECT_TRUE(run->can_copy());
  run->open_validator(world(), own_, ListCopy::yes);
  // Of several ranks a copy needs facts of all vertices, which are gathered where ranks have an edge for
  // each.
  const bool has_facts = world().size() == 1 || run_vertices <= std::ssize(edges_) / world().size();
  ASSERT_EQ(run->has_copy(), has_facts);
  if (!has_facts) return;  // on six ranks
  EXPECT_EQ(run->distinct_edges(), reference::adjacency(run_vertices, edges_).num_distinct_edges());
  const auto by_rows = run->edges_by_rows();
  EXPECT_EQ(by_rows != nullptr, world().size() == 1);
}

TEST_F(KernelRunTest, Kernel3ValidatesDistancesToo) {
  with_sssp();
  const auto run = constructed();
  EXPECT_FALSE(run->can_copy());
  EXPECT_FALSE(run->has_validator());
  run->open_validator(world(), own_, ListCopy::yes);
  ASSERT_TRUE(run->has_validator());
  EXPECT_FALSE(run->has_copy());
  EXPECT_FALSE(run->distinct_edges());
  EXPECT_EQ(run->edges_by_rows(), nullptr);
  const GlobalVertex root = root_of(*run);
  const FoundTree found = run->plan().search(root, observer_);
  const ClaimedEdges claimed = claimed_by(run->plan(), root);
  EXPECT_EQ(std::get<SsspValidation>(run->validate(root, found, claimed)).first_violation(), "");
  std::vector<float> spoiled(found.distances.begin(), found.distances.end());
  for (float& distance : spoiled) distance *= 2;
  const FoundTree wrong{.parents = found.parents, .distances = spoiled};
  EXPECT_FALSE(std::get<SsspValidation>(run->validate(root, wrong, claimed)).passed());
}

TEST_F(KernelRunTest, RecordsOfKernel3SayRoundsAndItsPlan) {
  with_bfs();
  auto run = constructed();
  SearchTiming timing;
  timing.levels.resize(5);
  SearchRecord search;
  ConstructionRecord construction;
  run->put_levels(search, timing);
  run->put_plan(construction);
  EXPECT_FALSE(search.rounds);
  EXPECT_FALSE(construction.path_plan);
  nlohmann::json level = level_of(*run);
  EXPECT_EQ(level.at("kind"), "level");
  EXPECT_EQ(level.at("level"), 4);
  EXPECT_EQ(level.at("frontier_vertices"), 17);

  benchmark_.construct = {};
  with_sssp();
  run = constructed();
  run->put_levels(search, timing);
  run->put_plan(construction);
  EXPECT_EQ(search.rounds, 5);
  ASSERT_TRUE(construction.path_plan);
  EXPECT_EQ(construction.path_plan->plan, "fake");
  level = level_of(*run);
  EXPECT_EQ(level.at("kind"), "round");
  EXPECT_EQ(level.at("round"), 4);
  EXPECT_EQ(level.at("active_vertices"), 17);
}

}  // namespace
}  // namespace isobath
