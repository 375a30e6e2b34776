// SPDX-License-Identifier: Apache-2.0
#include "collectives/cases.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace isobath {

std::vector<std::int64_t> offsets_of(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> offsets(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), std::int64_t{0});
  return offsets;
}

std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto family :
       {barrier_cases, bcast_cases, gather_cases, scatter_cases, allgather_cases, alltoall_cases,
        reduce_cases, reduce_scatter_cases, scan_cases, neighbour_cases}) {
    for (const Case& one : family()) all.push_back(one);
  }
  return all;
}

Case case_of(Collective collective) {
  const std::vector<Case> all = all_cases();
  const auto found = std::ranges::find(all, collective, &Case::collective);
  if (found == all.end()) throw InternalError("a collective without a case; please report this");
  return *found;
}

}  // namespace isobath
