// SPDX-License-Identifier: Apache-2.0
#include "placement/thread_setup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "base/threads.hpp"
#include "machine/binding.hpp"
#include "machine/cgroup_limits.hpp"
#include "machine/cpu_list.hpp"
#include "machine/process_facts.hpp"

namespace isobath {
namespace {

/// Processors by core, cores in the order of packages, memory domains and core numbers: a share of
/// consecutive cores lies in as few domains as can be, and what its threads touch first does, too.
std::vector<std::vector<int>> cores_of(const std::vector<CpuPlace>& places) {
  std::map<std::array<int, 3>, std::vector<int>> by_core;
  for (const CpuPlace& place : places) {
    by_core[{place.package, place.numa_node, place.core}].push_back(place.cpu);
  }
  std::vector<std::vector<int>> cores;
  for (auto& [core, cpus] : by_core) cores.push_back(std::move(cpus));
  return cores;
}

/// The first hardware thread of every core, then the second of every core that has one, ...
std::vector<int> one_per_core_first(const std::vector<std::vector<int>>& cores) {
  std::vector<int> order;
  for (std::size_t sibling = 0;; ++sibling) {
    const std::size_t before = order.size();
    for (const std::vector<int>& cpus : cores) {
      if (sibling < cpus.size()) order.push_back(cpus[sibling]);
    }
    if (order.size() == before) return order;
  }
}

/// The number that OMP_NUM_THREADS asks for; of a list ("4,2") the first, which is that of the outermost
/// region.
std::optional<int> threads_from_environment() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  if (text == nullptr) return std::nullopt;
  const long threads = std::strtol(text, nullptr, 10);
  if (threads < 1 || threads > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(threads);
}

bool user_binds() {
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

/// Collective. Ranks on this rank's node, in rank order, and whether they may all run on the same processors.
NodePlace node_place(const Communicator& world, const std::string& cpus) {
  const std::vector<std::string> hosts = world.allgather(host_key());
  const std::vector<std::string> masks = world.allgather(cpus);
  const auto own = static_cast<std::size_t>(world.rank());
  NodePlace place{.local_rank = 0, .local_ranks = 0, .same_cpus = true};
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (hosts[r] != hosts[own]) continue;
    if (r < own) ++place.local_rank;
    ++place.local_ranks;
    if (masks[r] != masks[own]) place.same_cpus = false;
  }
  return place;
}

void bind_threads(const std::vector<int>& cpus) {
  const int threads = static_cast<int>(cpus.size());
#pragma omp parallel num_threads(threads)
  bind_this_thread(cpus[static_cast<std::size_t>(thread_id())]);  // where it is refused, the record shows it
}

}  // namespace

ThreadPlaces share_out(const std::vector<CpuPlace>& places, const NodePlace& place,
                       std::optional<int> requested, std::optional<double> cpu_limit) {
  std::vector<std::vector<int>> cores = cores_of(places);
  const auto sharing = static_cast<std::size_t>(place.same_cpus ? place.local_ranks : 1);
  std::size_t available = cores.size() / sharing;
  if (cpu_limit) {
    const double of_limit = std::floor(*cpu_limit / static_cast<double>(sharing));
    available = std::min(available, static_cast<std::size_t>(of_limit));
  }
  if (place.same_cpus) {
    const auto [first, end] = static_share(std::ssize(cores), place.local_rank, place.local_ranks);
    cores = {cores.begin() + first, cores.begin() + end};
  }

  ThreadPlaces result;
  result.threads = requested.value_or(std::max(1, static_cast<int>(available)));
  const std::vector<int> order = one_per_core_first(cores);
  const auto threads = static_cast<std::size_t>(result.threads);
  result.oversubscribed =
      threads > order.size() || (cpu_limit && static_cast<double>(threads * sharing) > std::ceil(*cpu_limit));
  if (!result.oversubscribed) result.cpus.assign(order.begin(), order.begin() + result.threads);
  return result;
}

ThreadSetup set_up_threads(const Communicator& world, std::optional<int> requested) {
  if (!requested) requested = threads_from_environment();
  const std::vector<int> cpus = allowed_cpus();
  ThreadSetup setup;
  setup.process_cpus = cpu_list_text(cpus);
  const NodePlace place = node_place(world, setup.process_cpus);
  const ThreadPlaces places = share_out(places_of(cpus), place, requested, cgroup_limits().cpus);
  setup.oversubscribed = world.any(places.oversubscribed);
  setup.threads = places.threads;
  setup.max_threads = static_cast<int>(world.max(std::int64_t{setup.threads}));
  set_num_threads(setup.threads);
  if (!setup.oversubscribed && !user_binds()) bind_threads(places.cpus);
  return setup;
}

}  // namespace isobath
