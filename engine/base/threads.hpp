// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace isobath {

/// The only place that asks OpenMP for counts and ids.
int thread_id();
int num_threads();
/// Threads that the next parallel region gets.
int max_threads();
void set_num_threads(int threads);

/// The part of 0 .. count-1 that belongs to thread `part` of `parts`, boundaries being multiples of `granule`
/// (so that no two threads write the same word or cache line). Returns {first, end}.
constexpr std::pair<std::int64_t, std::int64_t> static_share(std::int64_t count, int part, int parts,
                                                             std::int64_t granule = 1) {
  const std::int64_t granules = (count + granule - 1) / granule;
  // granules * part / parts without the overflow: 2^47 edges over 10^5 ranks exceed 63 bits
  const std::int64_t quotient = granules / parts;
  const std::int64_t rest = granules % parts;
  const std::int64_t first = (quotient * part + rest * part / parts) * granule;
  const std::int64_t end = (quotient * (part + 1) + rest * (part + 1) / parts) * granule;
  return {first < count ? first : count, end < count ? end : count};
}

/// All values by the team, each thread one part of them, which it is the first to touch.
template <class T>
void fill_by_team(std::span<T> values, T value) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value;
}

}  // namespace isobath
