// SPDX-License-Identifier: Apache-2.0
#include "apps/memory_limits.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {
namespace {

using Words = LargeArray<std::uint32_t>;

/// Every thread writes its part; that is also the first touch.
void write_all(Words& words) {
#pragma omp parallel
  {
    const auto [begin, end] =
        static_share(static_cast<std::int64_t>(words.size()), thread_id(), num_threads());
    std::memset(words.data() + begin, 1, static_cast<std::size_t>(end - begin) * sizeof(std::uint32_t));
  }
}

/// Looks for a byte that is nowhere: the C library reads with the widest vectors that there are. Returns how
/// many threads found it.
std::uint64_t read_all(const Words& words) {
  std::uint64_t found = 0;
#pragma omp parallel reduction(+ : found)
  {
    const auto [begin, end] =
        static_share(static_cast<std::int64_t>(words.size()), thread_id(), num_threads());
    const std::size_t bytes = static_cast<std::size_t>(end - begin) * sizeof(std::uint32_t);
    found += std::memchr(words.data() + begin, 2, bytes) == nullptr ? 0U : 1U;
  }
  return found;
}

/// As many reads as there are words, at multiples of the golden ratio of the size: no address waits for
/// another, none follows from its neighbour's by a step that a prefetcher knows.
std::uint64_t read_at_random(const Words& words) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;
  const int shift = 64 - std::countr_zero(words.size());
  const std::uint32_t* const word = words.data();
  const std::size_t size = words.size();
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < size; ++i) sum += word[(i * golden) >> shift];
  return sum;
}

/// The least seconds of a pass among those of `seconds`, two at least.
template <class Pass>
double least_seconds(double seconds, Pass pass) {
  double least = 0;
  const double began = now_seconds();
  for (int passes = 0; passes < 2 || now_seconds() - began < seconds; ++passes) {
    const double start = now_seconds();
    pass();
    const double taken = std::max(now_seconds() - start, 1e-9);
    least = passes == 0 ? taken : std::min(least, taken);
  }
  return least;
}

}  // namespace

MemoryRates measure_memory(std::size_t bytes, double seconds) {
  ISOBATH_EXPECTS(std::has_single_bit(bytes) && bytes >= 4096);
  Words words(bytes / sizeof(std::uint32_t));
  write_all(words);
  const auto size = static_cast<double>(bytes);
  volatile std::uint64_t kept = 0;  // so that reading is not left out
  MemoryRates rates{.bytes = bytes};
  rates.write_bytes = size / least_seconds(seconds, [&] { write_all(words); });
  rates.read_bytes = size / least_seconds(seconds, [&] { kept = read_all(words); });
  rates.random_reads =
      size / sizeof(std::uint32_t) / least_seconds(seconds, [&] { kept = read_at_random(words); });
  return rates;
}

std::string json_of(int threads, const std::vector<MemoryRates>& rates) {
  std::vector<std::string> sizes;
  for (const MemoryRates& one : rates) {
    sizes.push_back(fmt::format(
        R"({{"bytes":{},"read_bytes_per_second":{},"write_bytes_per_second":{},"random_reads_per_second":{}}})",
        one.bytes, one.read_bytes, one.write_bytes, one.random_reads));
  }
  return fmt::format(R"({{"threads":{},"rates":[{}]}})", threads, fmt::join(sizes, ","));
}

}  // namespace isobath
