// SPDX-License-Identifier: Apache-2.0
// How long does an edge take? One thread unless said otherwise; items are edges.
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "generator/edge_store.hpp"
#include "generator/kronecker.hpp"

namespace isobath {
namespace {

constexpr std::int64_t edges_in_cache = 8192;

template <class Generate>
void run(benchmark::State& state, int scale, InstructionSet set, Generate&& generate) {
  const KroneckerGenerator generator({.scale = scale}, set);
  std::int64_t first = 0;
  for ([[maybe_unused]] auto _ : state) {
    generate(generator, first);
    benchmark::ClobberMemory();
    first = (first + edges_in_cache) % (generator.parameters().num_edges() / 2);
  }
  state.SetItemsProcessed(state.iterations() * edges_in_cache);
}

void edges(benchmark::State& state, int scale, InstructionSet set) {
  std::vector<Edge> edges(edges_in_cache);
  run(state, scale, set,
      [&](const KroneckerGenerator& generator, std::int64_t first) { generator.edges(first, edges); });
}

void weighted_edges(benchmark::State& state, int scale, InstructionSet set) {
  std::vector<Edge> edges(edges_in_cache);
  std::vector<float> weights(edges_in_cache);
  run(state, scale, set, [&](const KroneckerGenerator& generator, std::int64_t first) {
    generator.edges(first, edges, weights);
  });
}

void compact_edges(benchmark::State& state, int scale, InstructionSet set) {
  std::vector<CompactEdge> edges(edges_in_cache);
  run(state, scale, set,
      [&](const KroneckerGenerator& generator, std::int64_t first) { generator.compact(first, edges); });
}

void weighted_compact_edges(benchmark::State& state, int scale, InstructionSet set) {
  std::vector<CompactEdge> edges(edges_in_cache);
  std::vector<float> weights(edges_in_cache);
  run(state, scale, set, [&](const KroneckerGenerator& generator, std::int64_t first) {
    generator.compact(first, edges, weights);
  });
}

/// Reads of 1024 edges, as construction and validation make them.
void read_batches(benchmark::State& state, EdgeStorage storage) {
  const auto store = make_edge_store(storage, {.scale = 18}, 0, 1, "/tmp");
  std::vector<Edge> edges(1024);
  std::int64_t first = 0;
  for ([[maybe_unused]] auto _ : state) {
    store->read(first, edges);
    benchmark::ClobberMemory();
    first = (first + 1024) % store->size();
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}

/// The whole edge list by all threads, first touch included: what `generate` costs in a run.
void generate_all(benchmark::State& state, EdgeStorage storage) {
  const KroneckerParameters parameters{.scale = static_cast<int>(state.range(0))};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(make_edge_store(storage, parameters, 0, 1, "/tmp"));
  }
  state.SetItemsProcessed(state.iterations() * parameters.num_edges());
}

void generate_all_weighted(benchmark::State& state, EdgeStorage storage) {
  const KroneckerParameters parameters{.scale = static_cast<int>(state.range(0))};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(make_weighted_edge_store(storage, parameters, 0, 1, "/tmp"));
  }
  state.SetItemsProcessed(state.iterations() * parameters.num_edges());
}

template <class Run>
void register_whole(const std::string& name, Run run, EdgeStorage storage) {
  benchmark::RegisterBenchmark((name + std::string(name_of(storage))).c_str(), run, storage)
      ->Arg(20)
      ->Arg(22)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void register_all() {
  for (const InstructionSet set : supported_instruction_sets()) {
    const std::string name(name_of(set));
    for (const int scale : {16, 22, 30, 40}) {
      const std::string suffix = "/" + name + "/scale:" + std::to_string(scale);
      benchmark::RegisterBenchmark(("edges" + suffix).c_str(), edges, scale, set);
      benchmark::RegisterBenchmark(("weighted_edges" + suffix).c_str(), weighted_edges, scale, set);
      if (scale > 32) continue;
      benchmark::RegisterBenchmark(("compact_edges" + suffix).c_str(), compact_edges, scale, set);
      benchmark::RegisterBenchmark(("weighted_compact_edges" + suffix).c_str(), weighted_compact_edges, scale,
                                   set);
    }
  }
  for (const EdgeStorage storage : {EdgeStorage::memory, EdgeStorage::file, EdgeStorage::regenerate}) {
    benchmark::RegisterBenchmark(("read_batches/" + std::string(name_of(storage))).c_str(), read_batches,
                                 storage);
  }
  for (const EdgeStorage storage : {EdgeStorage::memory, EdgeStorage::file}) {
    register_whole("generate_all/", generate_all, storage);
    register_whole("generate_all_weighted/", generate_all_weighted, storage);
  }
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  isobath::register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
