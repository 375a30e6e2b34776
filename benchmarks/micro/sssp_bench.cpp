// SPDX-License-Identifier: Apache-2.0
// Kernel 3 on one rank: shortest paths from the benchmark's own search keys, and what construction costs with
// weights and without. Times are of the plan alone, output in original numbering included.
//
//   OMP_NUM_THREADS=2 build/.../sssp_bench --benchmark_filter='/20$'
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/clock.hpp"
#include "comm/grid.hpp"
#include "generator/edge_store.hpp"
#include "generator/search_keys.hpp"
#include "graph/graph.hpp"
#include "sssp/delta_stepping.hpp"
#include "sssp/landmark_plan.hpp"

namespace isobath {
namespace {

KroneckerParameters parameters(const benchmark::State& state) {
  return {.scale = static_cast<int>(state.range(0)), .edgefactor = 16};
}

std::unique_ptr<WeightedEdgeStream> edges_of(const benchmark::State& state) {
  return make_weighted_edge_store(EdgeStorage::memory, parameters(state), 0, 1);
}

/// Time by phase, for the counters of a benchmark.
class PhaseSeconds final : public SearchObserver {
 public:
  void phase(Phase begun) override {
    const double now = now_seconds();
    seconds_[now_] += now - since_;
    now_ = begun;
    since_ = now;
  }
  void level_started(Level, Direction, std::int64_t) override { ++rounds_; }
  void level_finished(Level, std::int64_t arcs) override { arcs_ += arcs; }
  void report(benchmark::State& state) {
    phase(Phase::finish);
    const auto searches = static_cast<double>(state.iterations());
    for (const Phase p : {Phase::reset, Phase::climb, Phase::relax, Phase::descend, Phase::emit}) {
      state.counters[std::string(name_of(p)) + "_ms"] = seconds_[p] * 1e3 / searches;
    }
    state.counters["rounds"] = static_cast<double>(rounds_) / searches;
    state.counters["arcs"] = static_cast<double>(arcs_) / searches;
  }

 private:
  std::map<Phase, double> seconds_;
  Phase now_ = Phase::start;
  double since_ = now_seconds();
  std::int64_t rounds_ = 0;
  std::int64_t arcs_ = 0;
};

/// What construction left of the graph (docs/explanation/sssp.md).
void report_yield(const LandmarkPlan& plan, benchmark::State& state) {
  const LandmarkPlan::Yield& yield = plan.yield();
  state.counters["kept_percent"] =
      50.0 * static_cast<double>(yield.kept_arcs) / static_cast<double>(plan.facts().num_edges);
  state.counters["upper"] = static_cast<double>(yield.upper_vertices);
  state.counters["core"] = static_cast<double>(yield.core_vertices);
  state.counters["core_arcs"] = static_cast<double>(yield.core_arcs);
  state.counters["peeling_rounds"] = yield.rounds;
}
void report_yield(const DeltaStepping&, benchmark::State&) {}

template <class Plan>
void searches(benchmark::State& state) {
  const Communicator alone;
  PhaseObserver nobody;
  Plan plan(*edges_of(state), alone, {.shape = {1, 1}}, nobody);
  report_yield(plan, state);
  const auto keys = sample_search_keys(
      parameters(state), 64, [&](std::span<const GlobalVertex> v) { return plan.has_neighbour(v); });
  PhaseSeconds phases;
  std::size_t k = 0;
  double inverse_sum = 0;
  for (auto _ : state) {
    const GlobalVertex key = keys[k++ % keys.size()];
    const double began = now_seconds();
    benchmark::DoNotOptimize(plan.search(key, phases).parents.data());
    const double seconds = now_seconds() - began;
    phases.phase(Phase::start);
    inverse_sum += seconds / static_cast<double>(plan.traversed_edges(key).without_self_loops);
  }
  phases.report(state);
  state.counters["harmonic_GTEPS"] = static_cast<double>(state.iterations()) / inverse_sum * 1e-9;
}

template <bool with_weights>
void construction(benchmark::State& state) {
  const Communicator alone;
  const Grid grid = Grid::arrange(alone, {1, 1});
  const auto edges = edges_of(state);
  PhaseObserver nobody;
  for (auto _ : state) {
    const Graph graph = with_weights ? construct_weighted_graph(*edges, alone, grid, nobody)
                                     : construct_graph(*edges, alone, grid, nobody);
    benchmark::DoNotOptimize(graph.num_arcs());
  }
}

BENCHMARK(searches<DeltaStepping>)
    ->Name("delta_stepping")
    ->Arg(16)
    ->Arg(18)
    ->Arg(20)
    ->Arg(22)
    ->Iterations(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(searches<LandmarkPlan>)
    ->Name("landmark")
    ->Arg(14)
    ->Arg(16)
    ->Arg(18)
    ->Arg(20)
    ->Arg(22)
    ->Iterations(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(construction<false>)->Arg(18)->Arg(20)->Arg(22)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(construction<true>)->Arg(18)->Arg(20)->Arg(22)->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace isobath

BENCHMARK_MAIN();
