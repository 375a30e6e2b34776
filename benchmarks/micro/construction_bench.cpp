// SPDX-License-Identifier: Apache-2.0
// Parts of construction where a rank has more than experiments on few ranks reach. Arcs as they arrive, at
// random targets: all threads deal into all ranges, or each into its own. Arguments: millions of targets, of
// which a range has 65,536; threads.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/threads.hpp"
#include "graph/arriving_arcs.hpp"

namespace {

using isobath::ArrivingArcs;
using isobath::RoutedArc;

constexpr std::size_t round_arcs = std::size_t{1} << 19;  // what a rank receives in a round of edges
constexpr std::size_t rounds = 256;

std::vector<RoutedArc> random_arcs(std::int64_t num_targets) {
  std::vector<RoutedArc> arcs;
  std::uint64_t x = 88172645463325252U;
  for (std::uint32_t i = 0; i < 8 * round_arcs; ++i) {  // xorshift
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    arcs.push_back({i, static_cast<std::uint32_t>(x % static_cast<std::uint64_t>(num_targets))});
  }
  return arcs;
}

void deal(benchmark::State& state, std::size_t most_lines) {
  const std::int64_t num_targets = state.range(0) * 1'000'000;
  isobath::set_num_threads(static_cast<int>(state.range(1)));
  const std::vector<RoutedArc> arcs = random_arcs(num_targets);
  for (auto _ : state) {
    ArrivingArcs<RoutedArc> arriving(num_targets, rounds * round_arcs, 1, most_lines);
    for (std::size_t round = 0; round < rounds; ++round) {
      const RoutedArc* const from = arcs.data() + round % 8 * round_arcs;
      arriving.deal(round_arcs, [&](int part, int parts, bool, auto&& add) {
        const auto [first, end] = isobath::static_share(static_cast<std::int64_t>(round_arcs), part, parts);
        for (std::int64_t i = first; i < end; ++i) add(from[i]);
      });
    }
    benchmark::DoNotOptimize(arriving.dealt().num_arcs());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rounds * round_arcs));
}

void all_threads_into_all_ranges(benchmark::State& state) { deal(state, ~std::size_t{0}); }
void a_thread_for_each_range(benchmark::State& state) { deal(state, 0); }

BENCHMARK(all_threads_into_all_ranges)
    ->Args({2000, 2})
    ->Args({100, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(a_thread_for_each_range)
    ->Args({2000, 2})
    ->Args({100, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
