// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_graph.hpp"

#include <limits>
#include <numeric>

#include "base/expects.hpp"

namespace isobath::reference {
namespace {

std::uint32_t id(GlobalVertex v) { return static_cast<std::uint32_t>(raw(v)); }

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
