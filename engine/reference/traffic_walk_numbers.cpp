// SPDX-License-Identifier: Apache-2.0
// Which number every vertex has in its block, and who the hubs are, on which that depends
// (docs/explanation/construction.md, docs/adr/0025 and 0043).
#include <algorithm>
#include <tuple>

#include "reference/traffic_walk_graph.hpp"

namespace isobath::reference {
namespace {

constexpr std::int64_t few_hubs_vertices = 4096;
constexpr std::size_t rows_of_a_head = 8;

/// Degree class of a vertex by its end points; the first are heavy.
int degree_class(std::int64_t endpoints) {
  if (endpoints >= 1024) return 0;
  if (endpoints >= 256) return 1;
  if (endpoints >= 64) return 2;
  if (endpoints >= 16) return 3;
  if (endpoints >= 4) return 4;
  return 5;
}

}  // namespace

/// Original order; with relabelling by degree class, heavy vertices by falling degree, original order among
/// equals. With families all but those in front by the first of these among their neighbours; unless nobody
/// is heavy, on one grid column, or a hub, on several.
void WalkedGraph::number_blocks(const TrafficRules& rules) {
  Lists members(static_cast<std::size_t>(rules.ranks()));
  std::int64_t searched = 0;
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    if (is_left_out(v) || (rules.relabel && endpoints_[v] == 0)) continue;
    members[static_cast<std::size_t>(rank_of(v))].push_back(v);
    ++searched;
  }
  choose_hubs(searched, rules);
  if (rules.relabel) sort_by_class(members);
  if (rules.relabel && rules.families) {
    if (rules.cols == 1) sort_by_first_heavy(members);
    if (rules.cols > 1) sort_by_first_hub(members);
  }
  number_.assign(endpoints_.size(), 0);
  is_numbered_.assign(endpoints_.size(), 0);
  numbered_.assign(members.size(), 0);
  for (std::size_t block = 0; block < members.size(); ++block) {
    for (const std::uint32_t v : members[block]) {
      number_[v] = static_cast<std::uint32_t>(numbered_[block]++);
      is_numbered_[v] = 1;
    }
  }
}

/// On several grid columns, where owners look for them: the vertices of most end points, no more than a tenth
/// of n (1/R + 1/C) and than 4 n / P, whole degrees at a time; ascending among equals.
/// @param searched  n
void WalkedGraph::choose_hubs(std::int64_t searched, const TrafficRules& rules) {
  if (!rules.hub_pass || rules.cols == 1) return;
  const std::int64_t tenth = searched * (rules.rows + rules.cols) / (10 * rules.ranks());
  const std::int64_t by_ranks = std::min(tenth, 4 * searched / rules.ranks());
  const auto most =
      static_cast<std::size_t>(rules.few_hubs ? std::min(by_ranks, searched / few_hubs_vertices) : by_ranks);
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    if (!is_left_out(v) && endpoints_[v] > 0) hubs_.push_back(v);
  }
  std::stable_sort(hubs_.begin(), hubs_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return endpoints_[a] > endpoints_[b]; });
  std::size_t taken = std::min(most, hubs_.size());
  if (taken < hubs_.size()) {  // those of the first degree that does not fit as a whole stay out
    const std::int64_t cut = endpoints_[hubs_[taken]];
    while (taken > 0 && endpoints_[hubs_[taken - 1]] == cut) --taken;
  }
  hubs_.resize(taken);
}

/// From original order.
void WalkedGraph::sort_by_class(Lists& members) const {
  for (auto& of_block : members) {
    std::ranges::stable_sort(of_block, [&](std::uint32_t a, std::uint32_t b) {
      const int class_a = degree_class(endpoints_[a]);
      const int class_b = degree_class(endpoints_[b]);
      if (class_a != class_b) return class_a < class_b;
      return class_a == 0 && endpoints_[a] > endpoints_[b];
    });
  }
}

/// On one grid column. The order of all heavy vertices is the first of every block, block after block, then
/// the second of every block, and so on.
/// @param members  by degree class
void WalkedGraph::sort_by_first_heavy(Lists& members) const {
  const auto is_heavy = [&](std::uint32_t v) { return degree_class(endpoints_[v]) == 0; };
  std::vector<std::uint32_t> heavy;
  for (std::size_t position = 0; position < endpoints_.size(); ++position) {
    const std::size_t before = heavy.size();
    for (const auto& of_block : members) {
      if (position < of_block.size() && is_heavy(of_block[position])) heavy.push_back(of_block[position]);
    }
    if (heavy.size() == before) break;
  }
  if (heavy.empty()) return;
  const std::vector<std::int64_t> first = first_neighbour_of(heavy);
  for (auto& of_block : members) {
    const auto light = std::ranges::find_if_not(of_block, is_heavy);
    std::sort(light, of_block.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(first[a], a) < std::tuple(first[b], b);
    });
  }
}

/// On several grid columns. In front are hubs and heavy vertices, by falling degree. The others follow their
/// first hub, where it is among the first: so many that each might have eight vertices of the block.
void WalkedGraph::sort_by_first_hub(Lists& members) {
  if (hubs_.empty()) return;
  followers_.resize(hubs_.size());
  const std::int64_t least_of_hub = endpoints_[hubs_.back()];
  const auto is_in_front = [&](std::uint32_t v) {
    return endpoints_[v] >= least_of_hub || degree_class(endpoints_[v]) == 0;
  };
  const std::vector<std::int64_t> first = first_neighbour_of(hubs_);
  for (auto& of_block : members) {
    const std::int64_t heads =
        static_cast<std::int64_t>(std::min(of_block.size() / rows_of_a_head, hubs_.size()));
    const auto behind = [&](std::uint32_t v) {  // whom it stands, in order
      return is_in_front(v) ? std::tuple(0, -endpoints_[v], v) : std::tuple(1, std::min(first[v], heads), v);
    };
    std::sort(of_block.begin(), of_block.end(),
              [&](std::uint32_t a, std::uint32_t b) { return behind(a) < behind(b); });
    Lists of_head(static_cast<std::size_t>(heads));
    for (const std::uint32_t v : of_block) {
      if (!is_in_front(v) && first[v] < heads) of_head[static_cast<std::size_t>(first[v])].push_back(v);
    }
    add_families(of_head);
  }
}

/// Families end at the first lot of heads with fewer than eight vertices each.
/// @param of_head  vertices of a block, by place of their first hub
void WalkedGraph::add_families(const Lists& of_head) {
  constexpr std::size_t lot = 64;
  for (std::size_t first = 0; first < of_head.size(); first += lot) {
    const std::size_t end = std::min(first + lot, of_head.size());
    std::size_t rows = 0;
    for (std::size_t place = first; place < end; ++place) rows += of_head[place].size();
    if (rows < rows_of_a_head * (end - first)) return;
    for (std::size_t place = first; place < end; ++place) {
      followers_[place].insert(followers_[place].end(), of_head[place].begin(), of_head[place].end());
    }
  }
}

/// Of every vertex, which of some vertices comes first among its neighbours: its place in their order; behind
/// them all where none does.
std::vector<std::int64_t> WalkedGraph::first_neighbour_of(std::span<const std::uint32_t> order) const {
  std::vector<std::int64_t> first(endpoints_.size(), std::ssize(order));
  for (std::int64_t place = std::ssize(order) - 1; place >= 0; --place) {
    for (const std::uint32_t v : neighbours(order[static_cast<std::size_t>(place)])) first[v] = place;
  }
  return first;
}

}  // namespace isobath::reference
