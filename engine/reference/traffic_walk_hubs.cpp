// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_hubs.hpp"

#include <algorithm>
#include <utility>

#include "reference/traffic_walk_encoding.hpp"

namespace isobath::reference {
namespace {

constexpr std::int64_t kept_by_owner = 4;

}  // namespace

WalkedHubs::WalkedHubs(const WalkedGraph& graph, const TrafficRules& rules)
    : graph_(graph), hubs_(graph.hubs()), of_col_(static_cast<std::size_t>(rules.cols)) {
  if (empty()) return;
  least_endpoints_ = graph.endpoints(hubs_.back());
  for (const std::uint32_t hub : hubs_) of_col_[static_cast<std::size_t>(graph.col_of(hub))].push_back(hub);
  for (auto& of_col : of_col_) {
    std::sort(of_col.begin(), of_col.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(graph.rank_of(a), graph.number(a)) < std::pair(graph.rank_of(b), graph.number(b));
    });
  }
  for (std::uint32_t v = 0; v < graph.num_vertices(); ++v) {
    const std::int64_t neighbours = std::ssize(graph.neighbours(v));  // none of a leaf that was left out
    const bool few = neighbours <= kept_by_owner;
    are_all_.push_back(few && neighbours == std::ssize(first_hubs(v)) ? 1 : 0);
  }
}

std::int64_t WalkedHubs::reached(const WalkedLevels& levels, std::int64_t level) const {
  return std::count_if(hubs_.begin(), hubs_.end(),
                       [&](std::uint32_t hub) { return is_reached(levels, level, hub); });
}

std::int64_t WalkedHubs::told_bytes(int col, const WalkedLevels& levels, std::int64_t level,
                                    std::int64_t told) const {
  constexpr std::int64_t bits_of_word = 64;
  std::vector<std::uint32_t> fresh;
  std::vector<std::uint32_t> others;
  std::uint32_t place = 0;
  for (const std::uint32_t hub : of_col_[static_cast<std::size_t>(col)]) {
    if (!is_reached(levels, level, hub)) {
      others.push_back(place);
    } else if (!is_reached(levels, told, hub)) {
      fresh.push_back(place);
    }
    ++place;
  }
  const std::int64_t bits = 8 * ((place + bits_of_word - 1) / bits_of_word);
  return std::min(bits, packed_list_bytes(fresh.size() <= others.size() ? fresh : others));
}

std::vector<std::uint32_t> WalkedHubs::first_hubs(std::uint32_t vertex) const {
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t neighbour : graph_.neighbours(vertex)) {
    if (is_hub(neighbour)) kept.push_back(neighbour);
  }
  std::stable_sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) {
    return graph_.endpoints(a) > graph_.endpoints(b);
  });
  if (std::ssize(kept) > kept_by_owner) kept.resize(kept_by_owner);
  return kept;
}

bool WalkedHubs::finds(const WalkedLevels& levels, std::int64_t level, std::uint32_t vertex) const {
  const std::vector<std::uint32_t> kept = first_hubs(vertex);
  return std::any_of(kept.begin(), kept.end(),
                     [&](std::uint32_t hub) { return is_reached(levels, level, hub); });
}

}  // namespace isobath::reference
