// SPDX-License-Identifier: Apache-2.0
// How long does the validation of one search take, and which part of it? One rank, edges in memory; items are
// edges. The argument is the number of threads. Scale 20 unless ISOBATH_BENCH_SCALE says otherwise.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/threads.hpp"
#include "comm/environment.hpp"
#include "generator/edge_store.hpp"
#include "reference/adjacency.hpp"
#include "reference/bfs.hpp"
#include "reference/dijkstra.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/edge_classes.hpp"
#include "validate/edge_copy.hpp"
#include "validate/gathered_vertices.hpp"
#include "validate/owner_exchange.hpp"
#include "validate/rule_tally.hpp"
#include "validate/sssp_rules.hpp"
#include "validate/tree_levels.hpp"

namespace isobath {
namespace {

/// A graph, and right answers of the serial twins.
struct Answer {
  explicit Answer(int scale)
      : partition(std::int64_t{1} << scale, 1),
        edges(make_weighted_edge_store(EdgeStorage::memory, {.scale = scale}, 0, 1)) {
    std::vector<Edge> all(static_cast<std::size_t>(edges->size()));
    std::vector<float> weights(all.size());
    edges->read_weighted(0, all, weights);
    root = all.front().u;
    parents = reference::bfs(reference::adjacency(partition.num_vertices(), all), root).parents;
    paths = reference::dijkstra(reference::weighted_adjacency(partition.num_vertices(), all, weights), root);
  }

  BlockPartition partition;
  std::unique_ptr<WeightedEdgeStream> edges;
  GlobalVertex root;
  std::vector<GlobalVertex> parents;
  reference::ShortestPathTree paths;
};

void whole_validation(benchmark::State& state, const Communicator& world, const Answer& answer,
                      ListCopy copy) {
  set_num_threads(static_cast<int>(state.range(0)));
  BfsValidator validator(world, answer.partition, *answer.edges, copy);
  for ([[maybe_unused]] auto _ : state) {
    const BfsValidation found = validator.validate(answer.root, answer.parents, {});
    if (!found.passed()) state.SkipWithError(found.first_violation().c_str());
  }
  state.SetItemsProcessed(state.iterations() * answer.edges->size());
}

void whole_path_validation(benchmark::State& state, const Communicator& world, const Answer& answer) {
  set_num_threads(static_cast<int>(state.range(0)));
  SsspValidator validator(world, answer.partition, *answer.edges);
  for ([[maybe_unused]] auto _ : state) {
    const SsspValidation found =
        validator.validate(answer.root, answer.paths.parents, answer.paths.distances, {});
    if (!found.passed()) state.SkipWithError(found.first_violation().c_str());
  }
  state.SetItemsProcessed(state.iterations() * answer.edges->size());
}

void levels_from_parents(benchmark::State& state, const Communicator& world, const Answer& answer) {
  set_num_threads(static_cast<int>(state.range(0)));
  OwnerExchange exchange(world, answer.partition);
  const GatheredVertices gathered(world, answer.partition, answer.edges->size(), VertexFacts::fewest_bytes);
  TreeLevels levels(world, answer.partition, exchange, gathered);
  for ([[maybe_unused]] auto _ : state) {
    TreeTally tally;
    levels.count(answer.root, answer.parents, tally);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * answer.edges->size());
}

void copy_list(benchmark::State& state, const Communicator& world, const Answer& answer) {
  set_num_threads(static_cast<int>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
    const EdgeCopy copy(world, *answer.edges);
    benchmark::DoNotOptimize(copy.num_rows());
  }
  state.SetItemsProcessed(state.iterations() * answer.edges->size());
}

/// What any validation must do at least: read every edge once.
void read_edges(benchmark::State& state, const Answer& answer) {
  set_num_threads(static_cast<int>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
#pragma omp parallel
    {
      const auto share = static_share(answer.edges->size(), thread_id(), num_threads());
      for_each_batch(*answer.edges, share.first, share.second,
                     [](std::span<const Edge> edges) { benchmark::DoNotOptimize(edges.data()); });
    }
  }
  state.SetItemsProcessed(state.iterations() * answer.edges->size());
}

/// The classes of edges whose codes are in the first cache level.
void classify(benchmark::State& state) {
  EdgeBatch batch;
  batch.size = EdgeBatch::capacity;
  for (std::size_t i = 0; i < batch.size; ++i) {
    batch.code_u[i] = static_cast<LevelCode>(i * 37 % 48);
    batch.code_v[i] = static_cast<LevelCode>(i * 11 % 48);
    batch.low_u[i] = static_cast<std::uint8_t>(i * 5);
    batch.low_v[i] = static_cast<std::uint8_t>(i * 3);
  }
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(batch.classify());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(EdgeBatch::capacity));
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  using namespace isobath;
  const MpiEnvironment environment(&argc, &argv);
  const Communicator world = environment.world();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const char* const scale = std::getenv("ISOBATH_BENCH_SCALE");
  const Answer answer(scale == nullptr ? 20 : std::atoi(scale));
  for (const int threads : {1, 2}) {
    const auto add = [&](const char* name, const auto& run) {
      benchmark::RegisterBenchmark(name, run)->Arg(threads)->UseRealTime()->Unit(benchmark::kMillisecond);
    };
    add("whole_validation",
        [&](benchmark::State& state) { whole_validation(state, world, answer, ListCopy::no); });
    add("whole_validation_by_copy",
        [&](benchmark::State& state) { whole_validation(state, world, answer, ListCopy::yes); });
    add("copy_list", [&](benchmark::State& state) { copy_list(state, world, answer); });
    add("whole_path_validation",
        [&](benchmark::State& state) { whole_path_validation(state, world, answer); });
    add("levels_from_parents", [&](benchmark::State& state) { levels_from_parents(state, world, answer); });
    add("read_edges", [&](benchmark::State& state) { read_edges(state, answer); });
  }
  benchmark::RegisterBenchmark("classify", classify);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
