// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vertex.hpp"

namespace isobath::reference {

/// One rule applied: how often it is broken, and the first example (lowest vertex, then lowest other).
struct Rule {
  std::int64_t violations = 0;
  GlobalVertex vertex = no_vertex;
  GlobalVertex other = no_vertex;
  friend bool operator==(const Rule&, const Rule&) = default;
};

/// Counts a breach by `vertex` together with `other`.
void break_rule(Rule& rule, GlobalVertex vertex, GlobalVertex other);

/// Follows the parents from `v` until they end; true when they never do.
bool runs_in_a_circle(std::span<const GlobalVertex> parents, GlobalVertex root, GlobalVertex v);

/// The rules of docs/explanation/validation.md, applied one after the other. Twin of engine/validate.
struct Verdict {
  std::array<Rule, 7> rules;
  std::int64_t traversed_edges = 0;  // with an end in the tree, self-loops left out
  std::int64_t self_loops = 0;       // at vertices of the tree
  std::vector<std::int64_t> vertices_per_level;

  bool passed() const;
};

/// `parents` has one entry per vertex. A negative claim is not compared.
Verdict validate_bfs(std::span<const Edge> edges, std::span<const GlobalVertex> parents, GlobalVertex root,
                     std::int64_t claimed_edges = -1, std::int64_t claimed_self_loops = -1);

}  // namespace isobath::reference
