// SPDX-License-Identifier: Apache-2.0
// What emit sends outside the main component on one grid column follows from what ranks have listed.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "reference/traffic_walk.hpp"

namespace isobath::reference {
namespace {

/// The main component is a star from 0. In another one arcs lead from each of 95 vertices to each of 95
/// others, all of the first of two ranks. Its last level, of 94 vertices and 8,930 arcs, is listed where the
/// bitmap of the rank has as many words; else the grid column is asked by bitmaps.
TEST(TrafficEmit, LargeRanksListLargerLevels) {
  constexpr int first = 200;
  constexpr int side = 95;
  std::vector<Edge> edges;
  for (int v = 1; v < first; ++v) edges.push_back({GlobalVertex{0}, GlobalVertex{v}});
  for (int arc = 0; arc < side * side; ++arc) {
    edges.push_back({GlobalVertex{first + arc / side}, GlobalVertex{first + side + arc % side}});
  }
  TrafficRules rules;
  rules.plan = TrafficRules::Plan::hybrid;
  rules.rows = 2;
  for (const std::int64_t words : {8928, 8936}) {
    const TrafficWalk walk(2 * 64 * words, edges, rules);
    std::int64_t emitted = 0;
    for (const TrafficLine& line : walk.search(GlobalVertex{first})) {
      if (line.phase == Phase::emit) emitted += line.bytes();
    }
    EXPECT_EQ(emitted, 2 * (words < (side - 1) * side ? 8 + 8 * words : 8)) << words;
  }
}

}  // namespace
}  // namespace isobath::reference
