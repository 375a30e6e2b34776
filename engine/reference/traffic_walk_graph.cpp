// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/expects.hpp"

namespace isobath::reference {
namespace {

std::uint32_t id(GlobalVertex v) { return static_cast<std::uint32_t>(raw(v)); }

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

WalkedGraph::WalkedGraph(std::int64_t num_vertices, std::span<const Edge> edges, const TrafficRules& rules)
    : rows_(rules.rows) {
  ISOBATH_EXPECTS(num_vertices >= 1 && num_vertices < std::numeric_limits<std::uint32_t>::max());
  ISOBATH_EXPECTS(rules.ranks() <= std::numeric_limits<std::uint16_t>::max());
  const auto size = static_cast<std::size_t>(num_vertices);
  endpoints_.resize(size);
  only_neighbour_.assign(size, -1);
  fill_rows(edges);
  sort_rows();
  if (rules.leaves_out) find_leaves();
  drop_arcs(rules);
  deal_blocks(rules);
  number_blocks(rules);
  find_main_component();
}

/// Both arcs of every edge that is no self-loop.
void WalkedGraph::fill_rows(std::span<const Edge> edges) {
  for (const Edge& edge : edges) {
    ISOBATH_EXPECTS(0 <= raw(edge.u) && raw(edge.u) < num_vertices());
    ISOBATH_EXPECTS(0 <= raw(edge.v) && raw(edge.v) < num_vertices());
    if (edge.u == edge.v) continue;
    ++endpoints_[id(edge.u)];
    ++endpoints_[id(edge.v)];
  }
  start_.assign(endpoints_.size() + 1, 0);
  for (std::size_t v = 0; v < endpoints_.size(); ++v) {
    start_[v + 1] = start_[v] + static_cast<std::size_t>(endpoints_[v]);
  }
  neighbour_.resize(start_.back());
  std::vector<std::size_t> at(start_.begin(), start_.end() - 1);
  for (const Edge& edge : edges) {
    if (edge.u == edge.v) continue;
    neighbour_[at[id(edge.u)]++] = id(edge.v);
    neighbour_[at[id(edge.v)]++] = id(edge.u);
  }
}

/// Every arc has its counterpart, so rows that are filled by ascending source come out sorted.
void WalkedGraph::sort_rows() {
  std::vector<std::uint32_t> sorted(neighbour_.size());
  std::vector<std::size_t> at(start_.begin(), start_.end() - 1);
  for (std::uint32_t source = 0; source < endpoints_.size(); ++source) {
    for (const std::uint32_t target : neighbours(source)) sorted[at[target]++] = source;
  }
  neighbour_ = std::move(sorted);
}

void WalkedGraph::find_leaves() {
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    const auto row = neighbours(v);
    if (!row.empty() && row.front() == row.back()) only_neighbour_[v] = row.front();
  }
}

/// Arcs of leaves that are left out, and duplicates where they are dropped.
void WalkedGraph::drop_arcs(const TrafficRules& rules) {
  std::size_t written = 0;
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    const std::size_t first = start_[v];
    const std::size_t end = start_[v + 1];
    start_[v] = written;
    for (std::size_t at = first; at < end; ++at) {
      const std::uint32_t target = neighbour_[at];
      if (is_left_out(v) || is_left_out(target)) continue;
      if (!rules.keep_duplicates && written > start_[v] && neighbour_[written - 1] == target) continue;
      neighbour_[written++] = target;
    }
  }
  start_.back() = written;
  neighbour_.resize(written);
}

/// Consecutive blocks, the first ones one vertex longer where they do not come out even; block b belongs to
/// rank b.
void WalkedGraph::deal_blocks(const TrafficRules& rules) {
  column_span_.assign(static_cast<std::size_t>(rules.cols), 0);
  row_.reserve(endpoints_.size());
  col_.reserve(endpoints_.size());
  const int ranks = rules.ranks();
  for (int block = 0; block < ranks; ++block) {
    const std::int64_t length = num_vertices() / ranks + (block < num_vertices() % ranks ? 1 : 0);
    row_.insert(row_.end(), static_cast<std::size_t>(length), static_cast<std::uint16_t>(block % rows_));
    col_.insert(col_.end(), static_cast<std::size_t>(length), static_cast<std::uint16_t>(block / rows_));
    column_span_[static_cast<std::size_t>(block / rows_)] += length;
  }
}

/// Original order; with relabelling by degree class, heavy vertices by falling degree, original order among
/// equals. With families on one grid column all but the heavy ones by their first heavy neighbour, then in
/// original order; unless nobody is heavy.
void WalkedGraph::number_blocks(const TrafficRules& rules) {
  number_.assign(endpoints_.size(), 0);
  is_numbered_.assign(endpoints_.size(), 0);
  numbered_.assign(static_cast<std::size_t>(rules.ranks()), 0);
  std::vector<std::vector<std::uint32_t>> members(static_cast<std::size_t>(rules.ranks()));
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    if (is_left_out(v) || (rules.relabel && endpoints_[v] == 0)) continue;
    members[static_cast<std::size_t>(rank_of(v))].push_back(v);
  }
  if (rules.relabel) {
    for (auto& of_block : members) {
      std::ranges::stable_sort(of_block, [&](std::uint32_t a, std::uint32_t b) {
        const int class_a = degree_class(endpoints_[a]);
        const int class_b = degree_class(endpoints_[b]);
        if (class_a != class_b) return class_a < class_b;
        return class_a == 0 && endpoints_[a] > endpoints_[b];
      });
    }
  }
  if (rules.relabel && rules.families && rules.cols == 1) {
    const std::vector<std::int64_t> first = first_heavy(members);
    for (auto& of_block : members) {
      if (first.empty()) break;
      const auto is_heavy = [&](std::uint32_t v) { return degree_class(endpoints_[v]) == 0; };
      const auto light = std::ranges::find_if_not(of_block, is_heavy);
      std::sort(light, of_block.end(), [&](std::uint32_t a, std::uint32_t b) {
        return first[a] != first[b] ? first[a] < first[b] : a < b;
      });
    }
  }
  for (std::size_t block = 0; block < members.size(); ++block) {
    for (const std::uint32_t v : members[block]) {
      number_[v] = static_cast<std::uint32_t>(numbered_[block]++);
      is_numbered_[v] = 1;
    }
  }
}

/// Place of the first heavy neighbour of every vertex in the order of all heavy ones: the first of every
/// block, block after block, then the second of every block, and so on. Behind them all where it has none;
/// nothing where nobody is heavy. @param members  of every block, by degree class
std::vector<std::int64_t> WalkedGraph::first_heavy(
    const std::vector<std::vector<std::uint32_t>>& members) const {
  std::vector<std::uint32_t> heavy;
  for (std::size_t position = 0; position < endpoints_.size(); ++position) {
    const std::size_t before = heavy.size();
    for (const auto& of_block : members) {
      if (position >= of_block.size() || degree_class(endpoints_[of_block[position]]) != 0) continue;
      heavy.push_back(of_block[position]);
    }
    if (heavy.size() == before) break;
  }
  if (heavy.empty()) return {};
  std::vector<std::int64_t> first(endpoints_.size(), std::ssize(heavy));
  for (std::int64_t place = std::ssize(heavy) - 1; place >= 0; --place) {
    for (const std::uint32_t v : neighbours(heavy[static_cast<std::size_t>(place)])) first[v] = place;
  }
  return first;
}

std::int64_t WalkedGraph::numbered() const {
  return std::accumulate(numbered_.begin(), numbered_.end(), std::int64_t{0});
}

void WalkedGraph::find_main_component() {
  in_main_.assign(endpoints_.size(), 0);
  std::int64_t top = -1;  // the lowest among equals
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    if (is_left_out(v) || endpoints_[v] == 0) continue;
    if (top < 0 || endpoints_[v] > endpoints_[static_cast<std::size_t>(top)]) top = v;
  }
  if (top < 0) return;
  std::vector<std::uint32_t> waiting = {static_cast<std::uint32_t>(top)};
  in_main_[waiting.front()] = 1;
  while (!waiting.empty()) {
    const std::uint32_t v = waiting.back();
    waiting.pop_back();
    for (const std::uint32_t target : neighbours(v)) {
      if (in_main_[target] != 0) continue;
      in_main_[target] = 1;
      waiting.push_back(target);
    }
  }
  for (std::uint32_t v = 0; v < endpoints_.size(); ++v) {
    if (is_left_out(v)) in_main_[v] = in_main_[only_neighbour(v)];
  }
}

}  // namespace isobath::reference
