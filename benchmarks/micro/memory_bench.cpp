// SPDX-License-Identifier: Apache-2.0
// What this machine's memory gives, with all threads and huge pages: the limits that a search is held
// against. Arguments are megabytes; sizes within a cache show that cache.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "base/arena.hpp"
#include "base/threads.hpp"

namespace {

using isobath::LargeArray;

LargeArray<std::uint64_t> touched(std::int64_t megabytes) {
  LargeArray<std::uint64_t> array(static_cast<std::size_t>(megabytes) << 17);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = i;
  return array;
}

void fill(benchmark::State& state) {
  LargeArray<std::uint64_t> array = touched(state.range(0));
  for (auto _ : state) {
    std::uint64_t* const out = array.data();
    const std::size_t size = array.size();
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < size; ++i) out[i] = 7;
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(array.size() * sizeof(std::uint64_t)));
}

void read(benchmark::State& state) {
  const LargeArray<std::uint64_t> array = touched(state.range(0));
  for (auto _ : state) {
    std::uint64_t sum = 0;
    const std::uint64_t* const in = array.data();
    const std::size_t size = array.size();
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) sum += in[i];
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(array.size() * sizeof(std::uint64_t)));
}

void read_at_random(benchmark::State& state) {
  const LargeArray<std::uint64_t> array = touched(state.range(0));
  constexpr std::int64_t reads = 1 << 20;
  for (auto _ : state) {
    std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      std::uint64_t x = 88172645463325252U * static_cast<std::uint64_t>(isobath::thread_id() + 1);
      for (std::int64_t i = 0; i < reads;
           ++i) {  // xorshift: independent addresses, as a search's look-ups are
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += array[x % array.size()];
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * reads * isobath::max_threads());
}

BENCHMARK(fill)->Arg(8)->Arg(32)->Arg(1024)->UseRealTime();
BENCHMARK(read)->Arg(8)->Arg(32)->Arg(1024)->UseRealTime();
BENCHMARK(read_at_random)->Arg(8)->Arg(32)->Arg(1024)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
