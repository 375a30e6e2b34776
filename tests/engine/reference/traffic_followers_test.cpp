// SPDX-License-Identifier: Apache-2.0
// Top-down levels on several grid columns: hubs are told, and what follows them need not be proposed.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hand_drawn.hpp"
#include "reference/traffic_walk.hpp"
#include "reference/traffic_walk_graph.hpp"

namespace isobath::reference {
namespace {

using Bytes = std::vector<std::int64_t>;
using ByStep = std::map<std::pair<Level, Phase>, Bytes>;
using Vertices = std::vector<std::uint32_t>;

TrafficRules family_rules(int rows, int cols) {
  TrafficRules rules;
  rules.plan = TrafficRules::Plan::hybrid;
  rules.rows = rows;
  rules.cols = cols;
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.local_dedup = true;
  rules.relabel = true;
  rules.families = true;
  rules.hub_pass = true;
  return rules;
}

void join(std::vector<Edge>& edges, int hub, int first, int end) {
  for (int v = first; v < end; ++v) edges.push_back({GlobalVertex{hub}, GlobalVertex{v}});
}

/// 1 x 2 ranks of twelve vertices, of which 0 and 23 are hubs: of 24 three may be, but all others have two
/// end points at the most. One hub may be head on each rank, 0, with nine followers on each.
///
///   0 -- 1 .. 9, 12 .. 20      23 -- 10, 11, 21, 22      0 -- 23 -- 1, 12
std::vector<Edge> two_hubs() {
  std::vector<Edge> edges = test::edges({{0, 23}, {23, 1}, {23, 12}});
  join(edges, 0, 1, 10);
  join(edges, 0, 12, 21);
  join(edges, 23, 10, 12);
  join(edges, 23, 21, 23);
  return edges;
}

ByStep walked(const TrafficRules& rules, int root, const std::vector<char>& bottom_up = {}) {
  ByStep steps;
  for (const TrafficLine& line : TrafficWalk(24, two_hubs(), rules).search(GlobalVertex{root}, bottom_up)) {
    steps[{line.level, line.phase}] = line.bytes_of_rank;
  }
  return steps;
}

TEST(TrafficFollowers, AreNotProposedWhereTheirHubIsOfTheFrontier) {
  const Bytes sums = {16, 16};  // what was found, and how many hubs are visited
  const ByStep expected = {
      {{outside_levels, Phase::reset}, {48, 0}},
      {{0, Phase::fold}, {8, 0}},  // 10 to 23
      {{0, Phase::reduce}, sums},
      {{1, Phase::hub_pass}, {8, 8}},  // 23 alone of its column; none of the other
      {{1, Phase::fold}, {0, 32}},     // 23 to 10, 11, 0, 1: it is no head
      {{1, Phase::reduce}, sums},
      {{2, Phase::reduce}, sums},  // all hubs are visited, all know that; 0 to 12 .. 20 is not proposed
  };
  EXPECT_EQ(walked(family_rules(1, 2), 10), expected);

  TrafficRules rules = family_rules(1, 2);
  rules.families = false;
  ByStep by_class = expected;
  by_class.erase({1, Phase::hub_pass});
  by_class[{2, Phase::fold}] = {9 * 8, 0};
  EXPECT_EQ(walked(rules, 10), by_class);
}

/// Where a search starts all know: a hub there is not told.
TEST(TrafficFollowers, OfTheRootAreFoundInTheFirstLevel) {
  const Bytes sums = {16, 16};
  const ByStep expected = {
      {{outside_levels, Phase::reset}, {48, 0}},
      {{0, Phase::fold}, {8, 0}},  // 0 to 23
      {{0, Phase::reduce}, sums},
      {{1, Phase::fold}, {0, 32}},  // 23 to 10, 11, 0, 1
      {{1, Phase::reduce}, sums},   // the last level is not searched
  };
  EXPECT_EQ(walked(family_rules(1, 2), 0), expected);
}

/// What was told in a top-down level is known in the bottom-up level that follows, and the other way.
TEST(TrafficFollowers, AreOfHubsThatAreToldOnceWhateverTheDirection) {
  TrafficRules rules = family_rules(1, 2);
  rules.direction = TrafficRules::DirectionRule::policy;
  const ByStep down_first = walked(rules, 10, {0, 0, 1, 1});
  EXPECT_TRUE(down_first.contains({1, Phase::hub_pass}));
  EXPECT_FALSE(down_first.contains({2, Phase::hub_pass})) << "all are visited";
  const ByStep up_first = walked(rules, 10, {1, 0, 0, 0});
  EXPECT_EQ(up_first.at({0, Phase::hub_pass}), (Bytes{8, 8}));
  EXPECT_EQ(up_first.at({1, Phase::hub_pass}), (Bytes{8, 8}));
  EXPECT_FALSE(up_first.contains({2, Phase::fold}));
  // All hubs were visited when the third level, top-down, began: no list of them, and no pass, is left.
  const ByStep last_up = walked(rules, 10, {0, 0, 0, 1});
  EXPECT_FALSE(last_up.contains({3, Phase::hub_pass}));
}

/// 1 x 2 ranks of 1040 vertices, of which 0 .. 127 are hubs, for all others have one end point. Each rank has
/// 128 heads, in two lots. Hubs of the first have eight followers on each rank, 512 in all; of the second 400
/// on rank 0, too few, and 528 on rank 1.
TEST(TrafficFollowers, EndWithTheFirstLotOfFewerThanEightEach) {
  std::vector<Edge> edges;
  int next_of_first = 128;
  int next_of_second = 1040;
  const auto follow = [&](int hub, int& next, int count) {
    join(edges, hub, next, next + count);
    next += count;
  };
  for (int hub = 0; hub < 128; ++hub) {
    follow(hub, next_of_first, hub < 64 ? 8 : hub < 80 || hub >= 96 ? 6 : 7);
    follow(hub, next_of_second, hub >= 64 && hub < 80 ? 9 : 8);
  }
  ASSERT_EQ(next_of_first, 1040);
  ASSERT_EQ(next_of_second, 2080);
  const WalkedGraph graph(2080, edges, family_rules(1, 2));
  ASSERT_EQ(graph.hubs().size(), 128U);
  EXPECT_EQ(graph.followers(0).size(), 16U);
  EXPECT_EQ(graph.followers(63).size(), 16U);
  ASSERT_EQ(graph.followers(64).size(), 9U);
  EXPECT_EQ(graph.rank_of(graph.followers(64).front()), 1);
  EXPECT_EQ(graph.followers(127).size(), 8U);
}

}  // namespace
}  // namespace isobath::reference
