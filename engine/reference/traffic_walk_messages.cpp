// SPDX-License-Identifier: Apache-2.0
#include "reference/traffic_walk_messages.hpp"

#include <algorithm>

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

void find_bottom_up(const WalkedGraph& graph, const TrafficRules& rules, const WalkedLevels& levels,
                    std::int64_t level, FoldMessages& messages) {
  if (level + 1 >= levels.count()) return;  // nothing is left to find
  for (const std::uint32_t target : levels.frontier[static_cast<std::size_t>(level + 1)]) {
    const int owner_col = graph.col_of(target);
    int steps = rules.cols;
    for (const std::uint32_t neighbour : graph.neighbours(target)) {
      const std::int32_t reached = levels.level_of[neighbour];
      if (reached == WalkedLevels::not_reached || reached > level) continue;
      steps = std::min(steps, (graph.col_of(neighbour) - owner_col + rules.cols) % rules.cols);
      if (steps == 0) break;
    }
    const int finder_col = (owner_col + steps) % rules.cols;
    messages.add(finder_col * rules.rows + graph.row_of(target), owner_col, graph.number(target));
  }
}

}  // namespace isobath::reference
