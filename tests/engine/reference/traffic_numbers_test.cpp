// SPDX-License-Identifier: Apache-2.0
// Packed lists are as long as the numbers of vertices make them: graphs whose numbers follow by hand.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "hand_drawn.hpp"
#include "reference/traffic_walk.hpp"

namespace isobath::reference {
namespace {

using Bytes = std::vector<std::int64_t>;

/// The plan hybrid on 2 x 1 ranks, with packed lists.
TrafficRules packed_rules() {
  TrafficRules rules;
  rules.plan = TrafficRules::Plan::hybrid;
  rules.rows = 2;
  rules.keep_duplicates = false;
  rules.frontier = TrafficRules::Frontier::packed;
  return rules;
}

/// What the ranks send in the expand of one level.
Bytes expanded(std::int64_t num_vertices, const std::vector<Edge>& edges, const TrafficRules& rules, int root,
               Level level) {
  for (const TrafficLine& line : TrafficWalk(num_vertices, edges, rules).search(GlobalVertex{root})) {
    if (line.level == level && line.phase == Phase::expand) return line.bytes_of_rank;
  }
  return {};
}

/// Hubs have the lowest numbers, so that packed lists of them are short.
TEST(TrafficNumbers, AreByDegreeClass) {
  // Vertices 0 .. 799 of rank 0 are isolated. 800 and 801 are joined to each other and to 1000 vertices of
  // rank 1 each; in rank 0 they are numbers 0 and 1 where relabelled, by falling degree.
  std::vector<Edge> edges = test::edges({{800, 801}, {801, 2900}});
  for (int v = 1500; v < 2600; ++v) {
    edges.push_back({GlobalVertex{800}, GlobalVertex{v}});
    edges.push_back({GlobalVertex{801}, GlobalVertex{v}});
  }
  TrafficRules rules = packed_rules();
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 1), (Bytes{8 + 2 + 1, 8}));
  rules.relabel = true;
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 1), (Bytes{8 + 1 + 1, 8}));
  // Level 2 holds 1099 of the 1101 with neighbours at rank 1 and is a bitmap: one unit of 512 bits at rank
  // 0, three at rank 1.
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 2), (Bytes{8 + 64, 8 + 192}));
}

/// Even vertices of rank 1 hang on hub 0, odd ones on hub 1, both of rank 0: with families the even ones
/// stand in front.
TEST(TrafficNumbers, AreByFirstHeavyNeighbourInFamilies) {
  std::vector<Edge> edges = test::edges({{0, 1}, {100, 2400}, {100, 2401}});
  for (int v = 2400; v < 4800; ++v) edges.push_back({GlobalVertex{v % 2}, GlobalVertex{v}});
  TrafficRules rules = packed_rules();
  rules.relabel = true;
  EXPECT_EQ(expanded(4800, edges, rules, 100, 1), (Bytes{8, 8 + 1 + 1}));  // numbers 0 and 1
  rules.families = true;
  EXPECT_EQ(expanded(4800, edges, rules, 100, 1), (Bytes{8, 8 + 1 + 2}));  // numbers 0 and 1200
  // Where nobody is heavy, degree classes stay.
  const std::vector<Edge> few(edges.begin(), edges.begin() + 1000);
  EXPECT_EQ(expanded(4800, few, rules, 100, 1), (Bytes{8, 8 + 1 + 1}));
}

}  // namespace
}  // namespace isobath::reference
