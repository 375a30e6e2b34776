// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_hubs.hpp"

#include <algorithm>
#include <utility>

#include "reference/traffic_walk_encoding.hpp"

namespace isobath::reference {
namespace {

constexpr std::int64_t kept_by_owner = 4;
constexpr std::int64_t few_hubs_vertices = 4096;

}  // namespace

WalkedHubs::WalkedHubs(const WalkedGraph& graph, const TrafficRules& rules)
    : graph_(graph), of_col_(static_cast<std::size_t>(rules.cols)) {
  if (!rules.hub_pass || rules.cols == 1) return;
  const std::int64_t n = graph.numbered();
  const std::int64_t tenth = n * (rules.rows + rules.cols) / (10 * rules.ranks());
  const std::int64_t by_ranks = std::min(tenth, 4 * n / rules.ranks());
  const auto most =
      static_cast<std::size_t>(rules.few_hubs ? std::min(by_ranks, n / few_hubs_vertices) : by_ranks);
  std::vector<std::uint32_t> by_degree;
  for (std::uint32_t v = 0; v < graph.num_vertices(); ++v) {
    if (!graph.is_left_out(v) && graph.endpoints(v) > 0) by_degree.push_back(v);
  }
  std::sort(by_degree.begin(), by_degree.end(),
            [&](std::uint32_t a, std::uint32_t b) { return graph.endpoints(a) > graph.endpoints(b); });
  std::size_t taken = std::min(most, by_degree.size());
  if (taken < by_degree.size()) {  // those of the first degree that does not fit as a whole stay out
    const std::int64_t cut = graph.endpoints(by_degree[taken]);
    while (taken > 0 && graph.endpoints(by_degree[taken - 1]) == cut) --taken;
  }
  if (taken == 0) return;
  hubs_.assign(by_degree.begin(), by_degree.begin() + static_cast<std::ptrdiff_t>(taken));
  least_endpoints_ = graph.endpoints(hubs_.back());
  count_ = static_cast<std::int64_t>(taken);
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
