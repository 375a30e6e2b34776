// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/vertex.hpp"
#include "reference/rules.hpp"

namespace isobath::reference {

/// The rules for shortest paths of docs/explanation/validation.md, applied one after the other. Twin of
/// engine/validate. A vertex is in the tree where its parents lead to the root.
struct SsspVerdict {
  std::array<Rule, 8> rules;
  std::int64_t traversed_edges = 0;  // with an end in the tree, self-loops left out
  std::int64_t self_loops = 0;       // at vertices of the tree
  std::int64_t vertices_reached = 0;
  std::int64_t tree_levels = 0;  // of the tree, in edges, the root's included
  double distance_sum = 0;       // of vertices of the tree whose distance is a distance
  double distance_max = 0;

  bool passed() const;
};

/// `parents` and `distances` have one entry per vertex, `weights` one per edge. A negative claim is not
/// compared.
SsspVerdict validate_sssp(std::span<const Edge> edges, std::span<const float> weights,
                          std::span<const GlobalVertex> parents, std::span<const float> distances,
                          GlobalVertex root, std::int64_t claimed_edges = -1,
                          std::int64_t claimed_self_loops = -1);

}  // namespace isobath::reference
