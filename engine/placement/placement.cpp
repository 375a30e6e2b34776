// SPDX-License-Identifier: Apache-2.0
#include "placement/placement.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "comm/bare/cartesian.hpp"
#include "comm/nodes/node_map.hpp"
#include "comm/nodes/rank_list.hpp"
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

constexpr const char* nodes_variable = "ISOBATH_EXPECT_NODES";
constexpr const char* hosts_variable = "ISOBATH_EXPECT_HOSTS";

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

std::string named(const RankPlaces& places, int node) {
  const auto at = static_cast<std::size_t>(node);
  if (at >= places.host_of_node.size()) return fmt::format("node {}", node);
  return fmt::format("node {} ({})", node, places.host_of_node[at]);
}

RankPlaces obtained_places(const Communicator& world) {
  RankPlaces obtained;
  obtained.node_of_rank = node_map_of(world, host_key()).node_of_rank;
  const std::vector<std::string> names = world.allgather(hostname());
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    const auto node = static_cast<std::size_t>(obtained.node_of_rank[rank]);
    if (node == obtained.host_of_node.size()) obtained.host_of_node.push_back(names[rank]);
  }
  return obtained;
}

PlacementError refused(std::string_view fault, std::string_view change) {
  return PlacementError(
      fmt::format("{}, so nothing is measured; change {}, or leave --strict-placement out", fault, change));
}

}  // namespace

RankPlaces parse_places(std::string_view nodes, std::string_view hosts, int ranks) {
  RankPlaces asked;
  asked.node_of_rank = parse_node_map(nodes, ranks, nodes_variable).node_of_rank;
  asked.host_of_node = split(hosts);
  const int last = *std::max_element(asked.node_of_rank.begin(), asked.node_of_rank.end());
  if (!asked.host_of_node.empty() && std::ssize(asked.host_of_node) != last + 1) {
    throw UsageError(fmt::format("{} names {} hosts, but {} has {} nodes; correct one", hosts_variable,
                                 asked.host_of_node.size(), nodes_variable, last + 1));
  }
  return asked;
}

std::string placement_fault(const RankPlaces& asked, const RankPlaces& obtained) {
  for (std::size_t rank = 0; rank < asked.node_of_rank.size(); ++rank) {
    const int wanted = asked.node_of_rank[rank];
    const int node = obtained.node_of_rank[rank];
    const auto at = static_cast<std::size_t>(wanted);
    const bool is_named =
        asked.host_of_node.empty() || wanted != node || asked.host_of_node[at] == obtained.host_of_node[at];
    if (wanted == node && is_named) continue;
    return fmt::format("rank {} was to be on {} and is on {}", rank, named(asked, wanted),
                       named(obtained, node));
  }
  return {};
}

std::string binding_fault(const Communicator& world, int node,
                          const std::vector<std::string>& cpus_of_own_threads) {
  std::vector<int> bound;
  for (const std::string& list : cpus_of_own_threads) {
    if (const std::optional<int> cpu = single_cpu(list)) bound.push_back(*cpu);
  }
  const Communicator here = world.split(node, world.rank());
  const std::vector<int> ranks = here.allgather(world.rank());
  const std::vector<std::int64_t> counts = here.allgather(std::int64_t{std::ssize(bound)});
  std::vector<int> all(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0LL)));
  here.allgatherv<int>(bound, counts, all);

  // the first rank, of all nodes, that has a processor of a rank before it (or its own, twice) speaks for all
  std::unordered_map<int, int> owners;
  int first = world.size();
  std::string fault;
  auto cpu = all.begin();
  for (std::size_t k = 0; k < ranks.size() && fault.empty(); ++k) {
    for (const auto end = cpu + counts[k]; cpu != end && fault.empty(); ++cpu) {
      const auto [owner, is_first] = owners.try_emplace(*cpu, ranks[k]);
      if (is_first) continue;
      first = ranks[k];
      fault = fmt::format("ranks {} and {} of node {} have threads that share processor {}", owner->second,
                          first, node, *cpu);
    }
  }
  const auto speaker = static_cast<int>(world.min(std::int64_t{first}));
  return speaker == world.size() ? std::string() : world.broadcast(std::move(fault), speaker);
}

std::string shape_fault(const std::vector<int>& extents, const std::vector<std::vector<int>>& coordinates) {
  for (std::size_t rank = 0; rank < coordinates.size(); ++rank) {
    std::vector<int> asked;
    int rest = static_cast<int>(rank);
    for (const int extent : extents) {
      asked.push_back(rest % extent);
      rest /= extent;
    }
    if (asked == coordinates[rank]) continue;
    return fmt::format("rank {} was to be at {} of shape {} and is at {}", rank, fmt::join(asked, ","),
                       fmt::join(extents, "x"), fmt::join(coordinates[rank], ","));
  }
  return {};
}

void require_placement(const Communicator& world, int threads, bool oversubscribed) {
  const std::string nodes = text_of_rank_0(world, nodes_variable);
  const std::string hosts = text_of_rank_0(world, hosts_variable);
  if (nodes.empty()) return;
  const RankPlaces asked = parse_places(nodes, hosts, world.size());
  const RankPlaces obtained = obtained_places(world);
  std::string fault = placement_fault(asked, obtained);
  if (fault.empty() && oversubscribed) fault = "some node has more threads than processors";
  if (fault.empty()) {  // as all ranks find it
    const int node = obtained.node_of_rank[static_cast<std::size_t>(world.rank())];
    fault = binding_fault(world, node, cpus_of_threads(threads));
  }
  if (!fault.empty()) throw refused(fault, "hosts or ranks");
}

void require_shape(const Communicator& world, const std::vector<int>& extents) {
  if (text_of_rank_0(world, nodes_variable).empty()) return;
  const BareCommunicator laid_out = BareCommunicator::cartesian(world, extents);
  // each rank asks for itself; the first that is told otherwise speaks for all
  for (const std::string& fault : world.allgather(shape_fault(extents, laid_out.coordinates()))) {
    if (!fault.empty()) throw refused(fault, "the shape");
  }
}

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
