// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sssp_case.hpp"

namespace isobath::test {

/// What a mutation starts from: a graph, two roots, and right answers for both.
struct RightPathAnswer {
  const WeightedGraph& graph;
  const reference::WeightedAdjacency& adjacency;
  GlobalVertex root;
  PathAnswer answer;
  GlobalVertex other_root;  // in the same component, where it has a second vertex
  PathAnswer other_answer;
};
RightPathAnswer make_right_path_answer(const WeightedGraph& graph,
                                       const reference::WeightedAdjacency& adjacency, GlobalVertex root,
                                       Random& random);

/// One class of wrong answer (docs/explanation/validation.md) and the rule that must notice it.
struct PathMutation {
  const char* name;
  SsspRule broken;
  /// Nothing where this answer offers no place for it.
  std::optional<PathAnswer> (*apply)(const RightPathAnswer& right, Random& random);
};
const std::vector<PathMutation>& path_mutations();

}  // namespace isobath::test
