// SPDX-License-Identifier: Apache-2.0
#include "placement/spare_processors.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "machine/binding.hpp"
#include "machine/process_facts.hpp"

namespace isobath {
namespace {

/// A list that names one processor; nothing for any other.
std::optional<int> single_cpu(const std::string& list) {
  int cpu = 0;
  const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), cpu);
  if (error != std::errc() || end != list.data() + list.size()) return std::nullopt;
  return cpu;
}

}  // namespace

ProgressPlaces progress_places(const Communicator& world, const std::vector<int>& before, int threads) {
  std::vector<std::int64_t> used;
  for (const std::string& list : cpus_of_threads(threads)) used.push_back(single_cpu(list).value_or(-1));
  ProgressPlaces places;
  if (used.front() >= 0) places.own = static_cast<int>(used.front());

  const std::vector<std::string> hosts = world.allgather(host_key());
  const std::vector<std::int64_t> counts = world.allgather(std::ssize(used));
  const std::vector<std::int64_t> all = world.allgatherv<std::int64_t>(used);
  std::vector<int> free = before;
  bool all_bound = true;
  int before_me = 0;
  std::size_t at = 0;
  for (int rank = 0; rank < world.size(); ++rank) {
    const auto end = at + static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
    const bool is_here =
        hosts[static_cast<std::size_t>(rank)] == hosts[static_cast<std::size_t>(world.rank())];
    for (; at < end; ++at) {
      if (!is_here) continue;
      if (all[at] < 0) all_bound = false;
      std::erase(free, static_cast<int>(all[at]));
    }
    if (is_here && rank < world.rank()) ++before_me;
  }
  if (all_bound && before_me < std::ssize(free)) places.spare = free[static_cast<std::size_t>(before_me)];
  return places;
}

}  // namespace isobath
