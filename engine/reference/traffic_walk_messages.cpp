// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_messages.hpp"

#include <algorithm>

#include "reference/traffic_walk_encoding.hpp"
#include "reference/traffic_walk_hubs.hpp"

namespace isobath::reference {

WalkedLevels walk_levels(const WalkedGraph& graph, std::uint32_t first) {
  WalkedLevels levels;
  levels.level_of.assign(static_cast<std::size_t>(graph.num_vertices()), WalkedLevels::not_reached);
  levels.level_of[first] = 0;
  std::vector<std::uint32_t> now = {first};
  while (!now.empty()) {
    const auto next_level = static_cast<std::int32_t>(levels.frontier.size() + 1);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t source : now) {
      for (const std::uint32_t target : graph.neighbours(source)) {
        if (levels.level_of[target] != WalkedLevels::not_reached) continue;
        levels.level_of[target] = next_level;
        next.push_back(target);
      }
    }
    levels.frontier.push_back(std::move(now));
    now = std::move(next);
  }
  return levels;
}

FoldMessages::FoldMessages(int ranks, int cols, bool keeps_targets)
    : cols_(static_cast<std::size_t>(cols)), pairs_(static_cast<std::size_t>(ranks) * cols_) {
  if (keeps_targets) targets_.resize(pairs_.size());
}

void propose_top_down(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                      std::int64_t level, Proposed* proposed, FoldMessages& messages) {
  for (const std::uint32_t source : levels.frontier[static_cast<std::size_t>(level)]) {
    const int col = graph.col_of(source);
    for (const std::uint32_t target : graph.neighbours(source)) {
      if (proposed != nullptr && !proposed->claim(target, col)) continue;
      messages.add(col * rules.rows + graph.row_of(target), graph.col_of(target), graph.number(target));
    }
  }
}

namespace {

/// The way that the target's half of its piece goes round the grid row: +1 or -1.
int way_of(const WalkedGraph& graph, const TrafficRules& rules, std::uint32_t target) {
  if (!rules.overlap) return 1;
  const std::int64_t words = bitmap_words(graph.numbered(graph.rank_of(target)));
  return graph.number(target) / 64 < words / 2 ? 1 : -1;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> who_asks(const WalkedGraph& graph, const WalkedLevels& levels,
                                                 std::int64_t level, const WalkedHubs& hubs, bool asked_now) {
  std::vector<std::vector<std::uint32_t>> asking;
  for (std::uint32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_left_out(v) || hubs.are_all_there_is(v)) continue;  // isolated ones have no neighbours
    const std::int32_t reached = levels.level_of[v];
    if (reached != WalkedLevels::not_reached && reached <= level) continue;
    if (asked_now && hubs.finds(levels, level, v)) continue;
    const auto rank = static_cast<std::size_t>(graph.rank_of(v));
    if (asking.size() <= rank) asking.resize(rank + 1);
    asking[rank].push_back(graph.number(v));
  }
  for (auto& of_rank : asking) std::sort(of_rank.begin(), of_rank.end());
  return asking;
}

void answer_lists(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                  std::int64_t level, const WalkedHubs* hubs, std::span<const char> by_list,
                  Proposed* proposed, FoldMessages& messages) {
  if (level + 1 >= levels.count()) return;
  for (const std::uint32_t target : levels.frontier[static_cast<std::size_t>(level + 1)]) {
    if (by_list[static_cast<std::size_t>(graph.row_of(target))] == 0) continue;
    if (hubs != nullptr && hubs->finds(levels, level, target)) continue;
    std::vector<char> knows(static_cast<std::size_t>(rules.cols), 0);
    for (const std::uint32_t neighbour : graph.neighbours(target)) {
      const std::int32_t reached = levels.level_of[neighbour];
      if (reached != WalkedLevels::not_reached && reached <= level) {
        knows[static_cast<std::size_t>(graph.col_of(neighbour))] = 1;
      }
    }
    for (int col = 0; col < rules.cols; ++col) {
      if (knows[static_cast<std::size_t>(col)] == 0) continue;
      messages.add(col * rules.rows + graph.row_of(target), graph.col_of(target), graph.number(target));
      if (proposed != nullptr) proposed->claim(target, col);
    }
  }
}

void find_bottom_up(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                    std::int64_t level, const WalkedHubs* hubs, std::span<const char> by_list,
                    Proposed* proposed, FoldMessages& messages) {
  const auto travels = [&](std::uint32_t v) {
    return by_list[static_cast<std::size_t>(graph.row_of(v))] == 0;
  };
  const int cols = rules.cols;
  if (proposed != nullptr) {
    for (std::int64_t before = 0; before <= level; ++before) {
      for (const std::uint32_t v : levels.frontier[static_cast<std::size_t>(before)]) {
        if (travels(v)) proposed->mark_everywhere(v);
      }
    }
  }
  if (level + 1 >= levels.count()) return;  // nothing is left to find
  for (const std::uint32_t target : levels.frontier[static_cast<std::size_t>(level + 1)]) {
    if (!travels(target)) continue;
    if (hubs != nullptr && hubs->finds(levels, level, target)) {
      if (proposed != nullptr) proposed->mark_everywhere(target);
      continue;
    }
    const int owner_col = graph.col_of(target);
    const int way = way_of(graph, rules, target);
    int steps = cols;
    for (const std::uint32_t neighbour : graph.neighbours(target)) {
      const std::int32_t reached = levels.level_of[neighbour];
      if (reached == WalkedLevels::not_reached || reached > level) continue;
      steps = std::min(steps, (way * (graph.col_of(neighbour) - owner_col) + cols) % cols);
      if (steps == 0) break;
    }
    const auto col_after = [&](int step) { return (owner_col + way * step + cols) % cols; };
    messages.add(col_after(steps) * rules.rows + graph.row_of(target), owner_col, graph.number(target));
    for (int step = steps; proposed != nullptr && step < cols; ++step)
      proposed->claim(target, col_after(step));
  }
}

}  // namespace isobath::reference
