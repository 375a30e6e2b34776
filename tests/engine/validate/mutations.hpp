// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "validation_case.hpp"

namespace isobath::test {

/// What a mutation starts from: a graph, two roots, and right answers for both.
struct RightAnswer {
  const Graph& graph;
  const reference::Adjacency& adjacency;
  GlobalVertex root;
  Parents parents;
  std::vector<Level> levels;
  GlobalVertex other_root;  // in the same component, where it has a second vertex
  Parents other_parents;
};
RightAnswer make_right_answer(const Graph& graph, const reference::Adjacency& adjacency, GlobalVertex root,
                              Random& random);

/// One class of wrong answer (docs/explanation/validation.md) and the rule that must notice it.
struct Mutation {
  const char* name;
  BfsRule broken;
  /// Nothing where this answer offers no place for it, for example no two vertices on one level are
  /// neighbours.
  std::optional<Parents> (*apply)(const RightAnswer& right, Random& random);
};
const std::vector<Mutation>& mutations();

}  // namespace isobath::test
