// SPDX-License-Identifier: Apache-2.0
#include "reference/rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "reference/bfs.hpp"
#include "reference/place.hpp"

namespace isobath::reference {
namespace {

void check_parents(Verdict& verdict, std::span<const GlobalVertex> parents, GlobalVertex root,
                   const std::vector<Level>& levels) {
  const auto size = static_cast<std::int64_t>(parents.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const GlobalVertex v{i};
    const GlobalVertex parent = parents[at(v)];
    if (v == root) {
      if (parent != root) break_rule(verdict.rules[0], v, parent);
    } else if (parent == no_vertex) {
      continue;
    } else if (raw(parent) < 0 || raw(parent) >= size) {
      break_rule(verdict.rules[0], v, parent);
    } else if (runs_in_a_circle(parents, root, v)) {
      break_rule(verdict.rules[1], v, parent);
    } else if (levels[at(v)] == no_level || levels[at(v)] != levels[at(parent)] + 1) {
      break_rule(verdict.rules[2], v, parent);
    }
  }
}

void check_edges(Verdict& verdict, std::span<const Edge> edges, const std::vector<Level>& levels) {
  for (const Edge& edge : edges) {
    Level level_u = levels[at(edge.u)];
    Level level_v = levels[at(edge.v)];
    if (level_u == no_level && level_v == no_level) continue;
    if (edge.u == edge.v) {
      ++verdict.self_loops;
      continue;
    }
    ++verdict.traversed_edges;
    if (level_u == no_level) {
      break_rule(verdict.rules[4], edge.u, edge.v);
    } else if (level_v == no_level) {
      break_rule(verdict.rules[4], edge.v, edge.u);
    } else if (level_u > level_v + 1) {
      break_rule(verdict.rules[3], edge.u, edge.v);
    } else if (level_v > level_u + 1) {
      break_rule(verdict.rules[3], edge.v, edge.u);
    }
  }
}

void check_tree_edges(Verdict& verdict, std::span<const Edge> edges, std::span<const GlobalVertex> parents,
                      GlobalVertex root, const std::vector<Level>& levels) {
  std::vector<std::pair<GlobalVertex, GlobalVertex>> joined;
  for (const Edge& edge : edges) {
    joined.emplace_back(edge.u, edge.v);
    joined.emplace_back(edge.v, edge.u);
  }
  std::sort(joined.begin(), joined.end());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(parents.size()); ++i) {
    const GlobalVertex v{i};
    if (v == root || levels[at(v)] == no_level) continue;
    const std::pair tree_edge(v, parents[at(v)]);
    if (!std::binary_search(joined.begin(), joined.end(), tree_edge))
      break_rule(verdict.rules[5], v, parents[at(v)]);
  }
}

}  // namespace

void break_rule(Rule& rule, GlobalVertex vertex, GlobalVertex other) {
  if (rule.violations == 0 || std::tuple(vertex, other) < std::tuple(rule.vertex, rule.other)) {
    rule.vertex = vertex;
    rule.other = other;
  }
  ++rule.violations;
}

bool runs_in_a_circle(std::span<const GlobalVertex> parents, GlobalVertex root, GlobalVertex v) {
  const auto size = static_cast<std::int64_t>(parents.size());
  for (std::int64_t steps = 0; steps <= size; ++steps) {
    if (v == root || raw(v) < 0 || raw(v) >= size) return false;
    v = parents[at(v)];
  }
  return true;
}

bool Verdict::passed() const {
  return std::all_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.violations == 0; });
}

Verdict validate_bfs(std::span<const Edge> edges, std::span<const GlobalVertex> parents, GlobalVertex root,
                     std::int64_t claimed_edges, std::int64_t claimed_self_loops) {
  Verdict verdict;
  const std::vector<Level> levels = levels_from_parents(parents, root);
  for (const Level level : levels) {
    if (level == no_level) continue;
    const auto needed = static_cast<std::size_t>(level) + 1;
    if (verdict.vertices_per_level.size() < needed) verdict.vertices_per_level.resize(needed);
    ++verdict.vertices_per_level[static_cast<std::size_t>(level)];
  }
  check_parents(verdict, parents, root, levels);
  check_edges(verdict, edges, levels);
  check_tree_edges(verdict, edges, parents, root, levels);
  Rule& counts = verdict.rules[6];
  if (claimed_edges >= 0) counts.violations += std::abs(claimed_edges - verdict.traversed_edges);
  if (claimed_self_loops >= 0) counts.violations += std::abs(claimed_self_loops - verdict.self_loops);
  return verdict;
}

}  // namespace isobath::reference
