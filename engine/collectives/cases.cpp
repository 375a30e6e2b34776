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

Case case_of(Collective collective, const std::string& own) {
  const std::vector<Case> all = all_cases();
  const auto found = std::ranges::find(all, collective, &Case::collective);
  if (found == all.end()) throw InternalError("a collective without a case; please report this");
  Case made = *found;
  if (!own.empty()) made.own = own_algorithm(own, collective);
  return made;
}

std::optional<std::string> Case::call_name(Form form, bool large_counts) const {
  if (!own) return isobath::call_name(collective, form, large_counts);
  if (form != Form::blocking || large_counts) return std::nullopt;
  return std::string(own->name);
}

std::unique_ptr<BareCall> Case::make_call(Form form, bool large_counts, const BareArguments& arguments,
                                          const BareCommunicator& comm) const {
  if (own) return make_own_call(own->function, arguments, comm.handle());
  return make_bare_call(collective, form, large_counts, arguments, comm.handle());
}

}  // namespace isobath
