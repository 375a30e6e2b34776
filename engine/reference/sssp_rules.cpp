// SPDX-License-Identifier: Apache-2.0
#include "reference/sssp_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "reference/bfs.hpp"
#include "reference/place.hpp"

namespace isobath::reference {
namespace {

/// Finite and not negative; false for what is no number.
bool is_distance(float distance) { return std::isfinite(distance) && distance >= 0; }

/// The answer as it is claimed, and who is in the tree.
struct Claim {
  std::span<const GlobalVertex> parents;
  std::span<const float> distances;
  GlobalVertex root;
  std::vector<Level> levels;

  bool is_in_tree(GlobalVertex v) const { return levels[at(v)] != no_level; }
};

/// Rules 0, 1 and 2.
void check_parents(SsspVerdict& verdict, const Claim& claim) {
  const auto size = static_cast<std::int64_t>(claim.parents.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const GlobalVertex v{i};
    const GlobalVertex parent = claim.parents[at(v)];
    if (v == claim.root) {
      if (parent != claim.root) break_rule(verdict.rules[0], v, parent);
    } else if (parent == no_vertex) {
      continue;
    } else if (raw(parent) < 0 || raw(parent) >= size) {
      break_rule(verdict.rules[0], v, parent);
    } else if (runs_in_a_circle(claim.parents, claim.root, v)) {
      break_rule(verdict.rules[1], v, parent);
    } else if (!claim.is_in_tree(v)) {
      break_rule(verdict.rules[2], v, parent);
    }
  }
}

/// Rule 3.
void check_distances(SsspVerdict& verdict, const Claim& claim) {
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(claim.parents.size()); ++i) {
    const GlobalVertex v{i};
    const GlobalVertex parent = claim.parents[at(v)];
    const float distance = claim.distances[at(v)];
    bool is_right = is_distance(distance);
    if (parent == no_vertex) is_right = std::isinf(distance) && distance > 0;
    if (v == claim.root) is_right = distance == 0;
    if (!is_right) break_rule(verdict.rules[3], v, parent);
  }
}

/// Rules 4 and 5, and the counts.
void check_edges(SsspVerdict& verdict, std::span<const Edge> edges, std::span<const float> weights,
                 const Claim& claim) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [u, v] = edges[i];
    if (!claim.is_in_tree(u) && !claim.is_in_tree(v)) continue;
    if (u == v) {
      ++verdict.self_loops;
      continue;
    }
    ++verdict.traversed_edges;
    const float to_u = claim.distances[at(u)];
    const float to_v = claim.distances[at(v)];
    if (!claim.is_in_tree(u)) {
      break_rule(verdict.rules[5], u, v);
    } else if (!claim.is_in_tree(v)) {
      break_rule(verdict.rules[5], v, u);
    } else if (!is_distance(to_u) || !is_distance(to_v)) {
      continue;  // rule 3 has said so
    } else if (to_u + weights[i] < to_v) {
      break_rule(verdict.rules[4], v, u);
    } else if (to_v + weights[i] < to_u) {
      break_rule(verdict.rules[4], u, v);
    }
  }
}

/// Rule 6, with a look at every edge for every vertex.
void check_tree_edges(SsspVerdict& verdict, std::span<const Edge> edges, std::span<const float> weights,
                      const Claim& claim) {
  std::vector<bool> confirmed(claim.parents.size());
  const auto look = [&](GlobalVertex child, GlobalVertex parent, float weight) {
    if (claim.parents[at(child)] != parent || !claim.is_in_tree(parent)) return;
    const float to_child = claim.distances[at(child)];
    const float to_parent = claim.distances[at(parent)];
    if (!is_distance(to_child) || !is_distance(to_parent)) return;
    if (to_child == to_parent + weight) confirmed[at(child)] = true;
  };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    look(edges[i].u, edges[i].v, weights[i]);
    look(edges[i].v, edges[i].u, weights[i]);
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(claim.parents.size()); ++i) {
    const GlobalVertex v{i};
    if (v == claim.root || !claim.is_in_tree(v) || confirmed[at(v)]) continue;
    break_rule(verdict.rules[6], v, claim.parents[at(v)]);
  }
}

void count_tree(SsspVerdict& verdict, const Claim& claim) {
  for (std::size_t v = 0; v < claim.levels.size(); ++v) {
    if (claim.levels[v] == no_level) continue;
    ++verdict.vertices_reached;
    verdict.tree_levels = std::max(verdict.tree_levels, std::int64_t{claim.levels[v]} + 1);
    if (!is_distance(claim.distances[v])) continue;
    verdict.distance_sum += double{claim.distances[v]};
    verdict.distance_max = std::max(verdict.distance_max, double{claim.distances[v]});
  }
}

}  // namespace

bool SsspVerdict::passed() const {
  return std::all_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.violations == 0; });
}

SsspVerdict validate_sssp(std::span<const Edge> edges, std::span<const float> weights,
                          std::span<const GlobalVertex> parents, std::span<const float> distances,
                          GlobalVertex root, std::int64_t claimed_edges, std::int64_t claimed_self_loops) {
  const Claim claim{parents, distances, root, levels_from_parents(parents, root)};
  SsspVerdict verdict;
  count_tree(verdict, claim);
  check_parents(verdict, claim);
  check_distances(verdict, claim);
  check_edges(verdict, edges, weights, claim);
  check_tree_edges(verdict, edges, weights, claim);
  Rule& counts = verdict.rules[7];
  if (claimed_edges >= 0) counts.violations += std::abs(claimed_edges - verdict.traversed_edges);
  if (claimed_self_loops >= 0) counts.violations += std::abs(claimed_self_loops - verdict.self_loops);
  return verdict;
}

}  // namespace isobath::reference
