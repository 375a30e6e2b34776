// SPDX-License-Identifier: Apache-2.0
// Packed lists are as long as the numbers of vertices make them: graphs whose numbers follow by hand.
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "hand_drawn.hpp"
#include "reference/traffic_walk.hpp"
#include "reference/traffic_walk_graph.hpp"

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
  // rank 1 each; in rank 0 they are numbers 0 and 1 where relabelled, by falling degree. 2950 makes level 2
  // one that finds something.
  std::vector<Edge> edges = test::edges({{800, 801}, {801, 2900}, {1600, 2950}});
  for (int v = 1500; v < 2600; ++v) {
    edges.push_back({GlobalVertex{800}, GlobalVertex{v}});
    edges.push_back({GlobalVertex{801}, GlobalVertex{v}});
  }
  TrafficRules rules = packed_rules();
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 1), (Bytes{8 + 2 + 1, 8}));
  rules.relabel = true;
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 1), (Bytes{8 + 1 + 1, 8}));
  // Level 2 holds none of rank 0, an empty list, and 1099 of the 1102 with neighbours at rank 1, as bits:
  // three units of 512.
  EXPECT_EQ(expanded(3000, edges, rules, 1500, 2), (Bytes{8, 8 + 192}));
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

/// Vertices of a rank in the order of their numbers.
using Vertices = std::vector<std::uint32_t>;
Vertices by_number(const WalkedGraph& graph, int rank) {
  Vertices vertices(static_cast<std::size_t>(graph.numbered(rank)));
  for (std::uint32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.is_numbered(v) && graph.rank_of(v) == rank) vertices[graph.number(v)] = v;
  }
  return vertices;
}

/// The plan hybrid on 1 x 2 ranks, with families and hubs.
TrafficRules family_rules() {
  TrafficRules rules = packed_rules();
  rules.rows = 1;
  rules.cols = 2;
  rules.relabel = true;
  rules.families = true;
  rules.hub_pass = true;
  return rules;
}

void join(std::vector<Edge>& edges, int hub, const std::vector<int>& others) {
  for (const int v : others) edges.push_back({GlobalVertex{hub}, GlobalVertex{v}});
}

/// Two ranks of 16 vertices. Of 32 vertices 32 x 3 / 20 = 4 may be hubs; 2 and 20 have eight end points, 5
/// has seven, all others two at the most and so stay out. 16 / 8 = 2 hubs may be heads.
std::vector<Edge> three_hubs() {
  std::vector<Edge> edges = test::edges({{10, 12}, {14, 15}, {24, 8}, {29, 30}});
  join(edges, 20, {0, 3, 4, 16, 19, 25, 27, 28});
  join(edges, 2, {4, 6, 7, 1, 17, 18, 26, 31});
  join(edges, 5, {9, 11, 13, 0, 21, 22, 23});
  return edges;
}

TEST(TrafficNumbers, AreByFirstHubOnSeveralColumns) {
  const WalkedGraph graph(32, three_hubs(), family_rules());
  EXPECT_EQ(Vertices(graph.hubs().begin(), graph.hubs().end()), (Vertices{2, 20, 5}));
  // 2 is before 20, which is of the other rank: on both ranks the followers of 2 come first, 4 among them,
  // though it hangs on 20 too. The third hub is no head: its followers stand among those that follow nobody.
  // 0 follows 20, and not 5, which is of its rank.
  EXPECT_EQ(by_number(graph, 0), (Vertices{2, 5, 1, 4, 6, 7, 0, 3, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(by_number(graph, 1), (Vertices{20, 17, 18, 26, 31, 16, 19, 25, 27, 28, 21, 22, 23, 24, 29, 30}));
}

TEST(TrafficNumbers, AreByDegreeClassWithoutFamiliesOrHubs) {
  TrafficRules rules = family_rules();
  rules.families = false;
  const Vertices by_class = {2, 5, 0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  EXPECT_EQ(by_number(WalkedGraph(32, three_hubs(), rules), 0), by_class);
  rules = family_rules();
  rules.hub_pass = false;
  EXPECT_EQ(by_number(WalkedGraph(32, three_hubs(), rules), 0), by_class);
  rules.hub_pass = true;
  rules.relabel = false;
  Vertices original(16);
  std::iota(original.begin(), original.end(), 0U);
  EXPECT_EQ(by_number(WalkedGraph(32, three_hubs(), rules), 0), original);
}

/// Two ranks of seven vertices; of 14 two may be hubs. 7 / 8 = 0: nobody is head, hubs are in front all the
/// same.
TEST(TrafficNumbers, HubsAreInFrontThoughARankIsTooSmallForFamilies) {
  std::vector<Edge> edges;
  join(edges, 12, {0, 2, 7, 9});
  join(edges, 4, {1, 3, 5, 6, 8, 10, 11, 13});
  const WalkedGraph graph(14, edges, family_rules());
  EXPECT_EQ(by_number(graph, 0), (Vertices{4, 0, 1, 2, 3, 5, 6}));
  EXPECT_EQ(by_number(graph, 1), (Vertices{12, 7, 8, 9, 10, 11, 13}));
}

/// 4800 vertices, so that one may be a hub where hubs are few: even ones hang on 0, odd ones on 1, and 0 on
/// 1. Rank 0 has the first 2400.
TEST(TrafficNumbers, HeavyVerticesAreInFrontThoughTheyAreNoHubs) {
  std::vector<Edge> edges = test::edges({{0, 1}});
  for (int v = 2; v < 4800; ++v) edges.push_back({GlobalVertex{v % 2}, GlobalVertex{v}});
  TrafficRules rules = family_rules();
  rules.few_hubs = true;
  const WalkedGraph equal(4800, edges, rules);  // 0 and 1 have as many end points: neither is a hub
  EXPECT_TRUE(equal.hubs().empty());
  EXPECT_EQ(equal.number(3), 3U);

  edges.push_back({GlobalVertex{0}, GlobalVertex{2401}});
  const WalkedGraph few(4800, edges, rules);
  ASSERT_EQ(few.hubs().size(), 1U);
  EXPECT_EQ(few.number(0), 0U);
  EXPECT_EQ(few.number(1), 1U);
  EXPECT_EQ(few.number(2), 2U);
  EXPECT_EQ(few.number(2398), 1200U);  // the last of 1199
  EXPECT_EQ(few.number(3), 1201U);     // follows nobody: 1 is no hub
  EXPECT_EQ(few.number(2399), 2399U);
  EXPECT_EQ(few.number(2401), 1U);  // of rank 1, behind 2400: follows 0, besides 1

  rules.few_hubs = false;
  const WalkedGraph many(4800, edges, rules);  // 0, 1 and 2401 are hubs, all others have one end point
  ASSERT_EQ(many.hubs().size(), 3U);
  EXPECT_EQ(many.number(2401), 0U);
  EXPECT_EQ(many.number(2400), 1U);
  EXPECT_EQ(many.number(2402), 2U);
  EXPECT_EQ(many.number(2403), 1201U);  // behind 1200 even ones
}

/// Ranks of a grid with several rows and columns number alike: heads are those of all ranks, and each has so
/// many as go into its own vertices eight times. Of 64 vertices 64 x 4 / 40 = 6 may be hubs, 0 and 63 are.
TEST(TrafficNumbers, EveryRankOfAGridFollowsTheHubsOfAll) {
  TrafficRules rules = family_rules();
  rules.rows = 2;
  std::vector<Edge> edges = test::edges({{0, 63}, {0, 1}});
  for (int v = 2; v < 63; ++v) edges.push_back({GlobalVertex{v % 3 == 0 ? 63 : 0}, GlobalVertex{v}});
  const WalkedGraph graph(64, edges, rules);
  EXPECT_EQ(by_number(graph, 1), (Vertices{16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 18, 21, 24, 27, 30}));
  EXPECT_EQ(by_number(graph, 2), (Vertices{32, 34, 35, 37, 38, 40, 41, 43, 44, 46, 47, 33, 36, 39, 42, 45}));
  EXPECT_EQ(by_number(graph, 3), (Vertices{63, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62, 48, 51, 54, 57, 60}));
}

}  // namespace
}  // namespace isobath::reference
