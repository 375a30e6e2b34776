// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "base/vertex.hpp"
#include "reference/adjacency.hpp"

namespace isobath::reference::test {

inline std::vector<GlobalVertex> vertices(std::initializer_list<int> values) {
  std::vector<GlobalVertex> list;
  for (const int value : values) list.push_back(GlobalVertex{value});
  return list;
}

inline std::vector<Edge> edges(std::initializer_list<std::pair<int, int>> pairs) {
  std::vector<Edge> list;
  for (const auto& [u, v] : pairs) list.push_back({GlobalVertex{u}, GlobalVertex{v}});
  return list;
}

///     0          5 -- 6
///    / \.
///   1   2        7 (two self-loops)
///   |\ /|
///   | X |        0 1 twice; 3 has a self-loop
///   |/ \|
///   3   4
///
/// with the edges 0 1, 0 2, 1 3, 1 4, 2 3, 2 4 and 3 4.
inline std::vector<Edge> edges_of_the_house() {
  return edges(
      {{0, 1}, {2, 0}, {1, 3}, {4, 1}, {2, 3}, {2, 4}, {1, 0}, {3, 3}, {3, 4}, {5, 6}, {7, 7}, {7, 7}});
}
/// One for each of these edges; the second copy of 0 1 is the lighter. The shortest paths from 3:
///
///     0 at 0.5      1 at 0.375     2 at 0.5     4 at 0.125
///     3 4 1 0       3 4 1          3 2          3 4
inline std::vector<float> weights_of_the_house() {
  return {0.5F, 0.25F, 1, 0.25F, 0.5F, 1, 0.125F, 0.1F, 0.125F, 0.5F, 0, 0};
}
inline Adjacency house_with_a_pair_beside() { return adjacency(8, edges_of_the_house()); }

}  // namespace isobath::reference::test
