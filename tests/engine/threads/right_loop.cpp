// SPDX-License-Identifier: Apache-2.0
// Loops in which everything is ordered, by everything that our kernels use: the sanitizer has nothing to say.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/threads.hpp"

namespace {

/// Sum of 0 .. n-1 in many ways; every thread reads what others have written.
std::int64_t sums(std::int64_t n) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  std::vector<std::int64_t> of_thread(static_cast<std::size_t>(isobath::max_threads()));
  std::int64_t in_turn = 0;
  std::int64_t reduced = 0;
  std::int64_t from_all = 0;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i;
#pragma omp parallel
  {
    std::int64_t& mine = of_thread[static_cast<std::size_t>(isobath::thread_id())];
#pragma omp for schedule(dynamic, 16) nowait
    for (std::int64_t i = 0; i < n; ++i) mine += values[static_cast<std::size_t>(n - 1 - i)];
#pragma omp critical
    in_turn += mine;
#pragma omp barrier
#pragma omp single
    for (const std::int64_t part : of_thread) from_all += part;
    mine = from_all;
  }
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : reduced)
  for (std::int64_t i = 0; i < n; ++i) reduced += values[static_cast<std::size_t>(i)];
  return in_turn + reduced + from_all + of_thread[0];
}

}  // namespace

int main() {
  constexpr std::int64_t n = 20000;
  for (int again = 0; again < 20; ++again) {
    if (sums(n) != 4 * (n * (n - 1) / 2)) return 1;
  }
  std::puts("all sums are right");
}
