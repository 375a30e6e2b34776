// SPDX-License-Identifier: Apache-2.0
// Walks of graphs that are small enough to be walked by hand, and closed forms of large ones.
#include "reference/traffic_walk.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "hand_drawn.hpp"

namespace isobath::reference {
namespace {

using Plan = TrafficRules::Plan;
using Bytes = std::vector<std::int64_t>;
using ByStep = std::map<std::pair<Level, Phase>, Bytes>;

ByStep walked(std::int64_t num_vertices, const std::vector<Edge>& edges, const TrafficRules& rules, int root,
              const std::vector<char>& bottom_up = {}) {
  ByStep steps;
  for (const TrafficLine& line :
       TrafficWalk(num_vertices, edges, rules).search(GlobalVertex{root}, bottom_up)) {
    steps[{line.level, line.phase}] = line.bytes_of_rank;
  }
  return steps;
}

TrafficRules rules_of(Plan plan, int rows, int cols) {
  TrafficRules rules;
  rules.plan = plan;
  rules.rows = rows;
  rules.cols = cols;
  return rules;
}

/// 0 - 1 = 2 - 3, the middle edge twice; two ranks own two vertices each.
const std::vector<Edge> path = test::edges({{0, 1}, {1, 2}, {2, 1}, {2, 3}});

TEST(TrafficWalk, OfSimpleSendsAPairForEveryArcToAnother) {
  const ByStep reduce = {{{0, Phase::reduce}, {8, 8}},
                         {{1, Phase::reduce}, {8, 8}},
                         {{2, Phase::reduce}, {8, 8}},
                         {{3, Phase::reduce}, {8, 8}}};
  TrafficRules rules = rules_of(Plan::simple, 1, 2);
  const auto expect_folds = [&](Bytes level_1, Bytes level_2) {
    ByStep expected = reduce;
    expected[{1, Phase::fold}] = std::move(level_1);
    expected[{2, Phase::fold}] = std::move(level_2);
    EXPECT_EQ(walked(4, path, rules, 0), expected);
  };
  expect_folds({32, 0}, {0, 32});
  rules.tuple_bytes = 8;
  expect_folds({16, 0}, {0, 16});
  rules.keep_duplicates = false;
  expect_folds({8, 0}, {0, 8});
  rules.keep_duplicates = true;
  rules.local_dedup = true;
  expect_folds({8, 0}, {0, 8});
}

TEST(TrafficWalk, TellsClassesApart) {
  for (const TrafficLine& line : TrafficWalk(4, path, rules_of(Plan::simple, 1, 2)).search(GlobalVertex{0})) {
    EXPECT_EQ(line.audit_class, line.phase == Phase::fold ? AuditClass::b : AuditClass::a);
    EXPECT_EQ(line.bytes(), line.phase == Phase::fold ? 32 : 16);
  }
}

TEST(TrafficWalk, OfOneSidedUpdatesTwoWindowsForEveryArc) {
  const ByStep steps = walked(4, path, rules_of(Plan::one_sided, 1, 2), 3);
  EXPECT_EQ(steps.at({1, Phase::fold}), (Bytes{0, 32}));  // 2 proposes itself to 1, twice
  EXPECT_EQ(steps.at({2, Phase::fold}), (Bytes{32, 0}));
  EXPECT_EQ(steps.size(), 6U);

  TrafficRules emulated = rules_of(Plan::one_sided, 1, 2);
  emulated.exchange = TrafficRules::Exchange::emulated;  // one update of 24 bytes, and counts
  const ByStep played = walked(4, path, emulated, 3);
  EXPECT_EQ(played.at({1, Phase::fold}), (Bytes{0, 48}));
  EXPECT_EQ(played.at({3, Phase::count}), (Bytes{8, 8}));
}

TEST(TrafficWalk, OfReplicatedSendsBitmapsAndSummaries) {
  for (const Plan plan : {Plan::replicated_csr, Plan::replicated_csc}) {
    const ByStep steps = walked(1030, path, rules_of(plan, 2, 1), 0);
    // 515 vertices each: two units of 512 bits, and one word of summary.
    for (const Level level : {0, 1, 2, 3}) EXPECT_EQ(steps.at({level, Phase::reduce}), (Bytes{8, 8}));
    for (const Level level : {1, 2, 3}) {  // not 0: all know the root
      EXPECT_EQ(steps.at({level, Phase::expand}), (Bytes{128 + 8, 128 + 8}));
    }
    EXPECT_EQ(steps.size(), 7U);
  }
}

/// Vertex b is block b: 0 and 2 in grid row 0, 1 and 3 in grid row 1; 0 and 1 in grid column 0. All arcs of
/// the star from 0 are stored in column 0, those back to it in row 0.
TEST(TrafficWalk, OfTwoDimExpandsInColumnsAndFoldsInRows) {
  const std::vector<Edge> star = test::edges({{0, 1}, {2, 0}, {0, 3}});
  TrafficRules rules = rules_of(Plan::two_dim, 2, 2);
  const ByStep expected = {{{0, Phase::fold}, {16, 16, 0, 0}},
                           {{0, Phase::reduce}, {24, 24, 24, 24}},
                           {{1, Phase::expand}, {64, 64, 64, 64}},
                           {{1, Phase::fold}, {0, 0, 32, 0}},
                           {{1, Phase::reduce}, {24, 24, 24, 24}}};
  EXPECT_EQ(walked(4, star, rules, 0), expected);

  rules.frontier = TrafficRules::Frontier::list;  // 8 bytes of length, 4 a vertex
  ByStep listed = expected;
  listed[{1, Phase::expand}] = {8, 12, 12, 12};
  EXPECT_EQ(walked(4, star, rules, 0), listed);
  rules.frontier = TrafficRules::Frontier::smaller;
  EXPECT_EQ(walked(4, star, rules, 0), listed);

  rules.frontier = TrafficRules::Frontier::bitmap;
  rules.local_dedup = true;
  ByStep once = expected;
  once[{1, Phase::fold}] = {0, 0, 16, 0};
  EXPECT_EQ(walked(4, star, rules, 0), once);
}

TEST(TrafficWalk, ChoosesTheSmallerFrontierForEachGridColumn) {
  // Vertex 0 and all of 1000 .. 1999, of which the second grid column of 2 x 2 ranks owns two blocks of 500.
  std::vector<Edge> edges;
  for (int leaf = 1000; leaf < 2000; ++leaf) edges.push_back({GlobalVertex{0}, GlobalVertex{leaf}});
  TrafficRules rules = rules_of(Plan::two_dim, 2, 2);
  rules.frontier = TrafficRules::Frontier::smaller;
  const ByStep steps = walked(2000, edges, rules, 0);
  EXPECT_EQ(steps.at({1, Phase::expand}), (Bytes{8, 8, 8 + 64, 8 + 64}));
}

/// One grid row of three ranks, two vertices each.
///
///   0 - 2, 0 - 4      found from column 0, which is last on the way from column 1, second from column 2
///   1 - 2, 1 - 4      found on level 1: not by its own column 0, but by 1, the next
///   5 - 4, 5 - 2      found by its own column
TEST(TrafficWalk, BottomUpTheFirstRankOnTheWayFindsATarget) {
  const std::vector<Edge> edges = test::edges({{0, 2}, {0, 4}, {1, 2}, {1, 4}, {5, 4}, {5, 2}});
  TrafficRules rules = rules_of(Plan::hybrid, 1, 3);
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.direction = TrafficRules::DirectionRule::bottom_up;
  const ByStep steps = walked(6, edges, rules, 0, {1, 1, 1});
  const Bytes pieces = {192, 192, 192};
  const ByStep expected = {{{outside_levels, Phase::reset}, {96, 0, 0}},
                           {{0, Phase::rotate}, pieces},
                           {{0, Phase::fold}, {16, 0, 0}},
                           {{0, Phase::reduce}, {16, 16, 16}},
                           {{1, Phase::rotate}, pieces},
                           {{1, Phase::fold}, {0, 8, 0}},
                           {{1, Phase::reduce}, {16, 16, 16}}};
  EXPECT_EQ(steps, expected);

  rules.exchange = TrafficRules::Exchange::alltoallv;
  EXPECT_EQ(walked(6, edges, rules, 0, {1, 1, 1}).at({1, Phase::count}), (Bytes{16, 16, 16}));
}

/// The same with blocks of 512: the second half of a piece, from vertex 256 of it, goes the other way.
TEST(TrafficWalk, OverlappedHalvesTravelBothWays) {
  TrafficRules rules = rules_of(Plan::hybrid, 1, 3);
  rules.tuple_bytes = 8;
  rules.direction = TrafficRules::DirectionRule::bottom_up;
  for (const auto& [vertex, overlap, finder] :
       std::vector<std::tuple<int, bool, std::size_t>>{{255, true, 1}, {256, true, 2}, {256, false, 1}}) {
    rules.overlap = overlap;
    const std::vector<Edge> edges = test::edges({{0, 600}, {0, 1200}, {vertex, 600}, {vertex, 1200}});
    Bytes expected(3, 0);
    expected[finder] = 8;
    EXPECT_EQ(walked(3 * 512, edges, rules, 0, {1, 1}).at({1, Phase::fold}), expected) << vertex;
  }
}

/// Two ranks of 20 vertices each. 0 is next to all but 39 and is the only hub: 35 vertices have two end
/// points, and no more than 6 may be hubs. 1 .. 18 and 20 .. 33 have a second neighbour in pairs; 39 is next
/// to 19 and 38; 34 .. 37 have the hub alone and need not ask.
TEST(TrafficWalk, WhoIsLeftByHubsAsksTheGridRowByAList) {
  std::vector<Edge> edges = test::edges({{39, 19}, {39, 38}});
  for (int v = 1; v < 39; ++v) edges.push_back({GlobalVertex{0}, GlobalVertex{v}});
  for (int v = 1; v < 18; v += 2) edges.push_back({GlobalVertex{v}, GlobalVertex{v + 1}});
  for (int v = 20; v < 33; v += 2) edges.push_back({GlobalVertex{v}, GlobalVertex{v + 1}});
  TrafficRules rules = rules_of(Plan::hybrid, 1, 2);
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.hub_pass = true;
  rules.direction = TrafficRules::DirectionRule::bottom_up;
  const Bytes sums = {16, 16};  // what was found, and how many hubs are visited
  const ByStep expected = {
      {{outside_levels, Phase::reset}, {48, 0}},
      {{0, Phase::hub_pass}, {8, 8}},          // that none is visited
      {{0, Phase::rotate}, {8 + 19, 8 + 16}},  // 0, 2 .. 19; 20 .. 33, 38, 39
      {{0, Phase::reduce}, sums},
      {{1, Phase::rotate},
       {8, 8 + 1}},  // 39; the hub, which is not told, as all are visited, finds the others
      {{1, Phase::reduce}, sums},
      {{2, Phase::rotate}, {8, 8 + 1}},  // the hub was visited: it is not told again
      {{2, Phase::fold}, {8, 0}},        // 19 is the parent that the first rank knows, 38 the owner's
      {{2, Phase::reduce}, sums},
  };
  EXPECT_EQ(walked(40, edges, rules, 1, {1, 1, 1, 1}), expected);
  const std::vector<Edge> once = edges;
  for (const auto& [u, v] : once) edges.push_back({v, u});
  EXPECT_EQ(walked(40, edges, rules, 1, {1, 1, 1, 1}), expected) << "every edge listed from either end";
}

/// Two ranks of 20 vertices each: a path of the hubs 0, 20 and 21, which all others hang on.
TEST(TrafficWalk, HubsAreToldAsShortListsAndNotAtAllWhereNothingIsNew) {
  std::vector<Edge> edges = test::edges({{0, 20}, {20, 21}});
  for (int v = 1; v < 20; ++v) edges.push_back({GlobalVertex{0}, GlobalVertex{v}});
  for (int v = 22; v < 40; ++v) edges.push_back({GlobalVertex{v < 31 ? 20 : 21}, GlobalVertex{v}});
  TrafficRules rules = rules_of(Plan::hybrid, 1, 2);
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.hub_pass = true;
  rules.direction = TrafficRules::DirectionRule::bottom_up;
  const ByStep steps = walked(40, edges, rules, 1, {1, 1, 1, 1, 1});
  EXPECT_EQ(steps.at({0, Phase::hub_pass}), (Bytes{8, 8}));        // none is visited
  EXPECT_EQ(steps.at({0, Phase::rotate}), (Bytes{8 + 1, 8 + 2}));  // the hubs ask
  EXPECT_EQ(steps.at({1, Phase::hub_pass}), (Bytes{8, 8}));        // of 0 no others are left; none is new
  EXPECT_EQ(steps.at({1, Phase::rotate}), (Bytes{8, 8 + 1}));      // 21 asks
  EXPECT_EQ(steps.at({2, Phase::hub_pass}), (Bytes{8, 8 + 1}));    // 20 is new
  EXPECT_EQ(steps.at({2, Phase::rotate}), (Bytes{8, 8}));
  EXPECT_FALSE(steps.contains({3, Phase::hub_pass})) << "all are visited";
  EXPECT_EQ(steps.at({3, Phase::reduce}), (Bytes{16, 16}));
  EXPECT_FALSE(steps.contains({4, Phase::reduce})) << "nothing is left to find";
}

/// One grid column of two ranks, 1024 vertices each: a path from 0, so that hardly any are visited at first,
/// and hardly any are left at last; bitmaps are of 128 bytes.
TEST(TrafficWalk, FewVisitedOrFewOthersTravelAsListsAlongTheColumn) {
  std::vector<Edge> edges;
  for (int v = 1; v < 2048; ++v) edges.push_back({GlobalVertex{v - 1}, GlobalVertex{v}});
  TrafficRules rules = rules_of(Plan::hybrid, 2, 1);
  rules.frontier = TrafficRules::Frontier::packed;
  rules.direction = TrafficRules::DirectionRule::bottom_up;
  const ByStep steps = walked(2048, edges, rules, 0, std::vector<char>(2048, 1));
  EXPECT_EQ(steps.at({0, Phase::expand}), (Bytes{8 + 1, 8}));      // the root; nothing
  EXPECT_EQ(steps.at({63, Phase::expand}), (Bytes{8 + 64, 8}));    // 64 are visited
  EXPECT_EQ(steps.at({64, Phase::expand}), (Bytes{8 + 128, 8}));   // 65: more than half a bitmap
  EXPECT_EQ(steps.at({1000, Phase::expand}), (Bytes{8 + 24, 8}));  // 23 others, the first of two bytes
  EXPECT_EQ(steps.at({1023, Phase::expand}), (Bytes{8, 8}));       // no others; nothing
  EXPECT_EQ(steps.at({1024, Phase::expand}), (Bytes{8, 8 + 1}));
}

/// A rank that saw a target visited on its way does not propose it later; one before the finder did not see
/// it, and does.
TEST(TrafficWalk, WhatWasSeenVisitedIsNotProposed) {
  // Columns 0, 1, 2 own {0, 1}, {2, 3}, {4, 5}. Level 0 bottom-up: 2 is found by column 0, after 1 and 2;
  // 4 by column 0, after 2. Level 1 top-down: 2 - 4 both ways, and 5 by its own column.
  const std::vector<Edge> edges = test::edges({{0, 2}, {0, 4}, {2, 4}, {4, 5}});
  TrafficRules rules = rules_of(Plan::hybrid, 1, 3);
  rules.keep_duplicates = false;
  rules.tuple_bytes = 8;
  rules.local_dedup = true;
  rules.direction = TrafficRules::DirectionRule::policy;
  const ByStep steps = walked(6, edges, rules, 0, {1, 0});
  EXPECT_EQ(steps.at({0, Phase::fold}), (Bytes{16, 0, 0}));
  // Column 2 has not seen 2 visited; column 1 has seen 4 after column 0 found it. 0 is known to all.
  EXPECT_EQ(steps.at({1, Phase::fold}), (Bytes{0, 0, 8}));
}

TEST(TrafficWalk, LeavesStartAtTheirNeighbourOneLevelDown) {
  TrafficRules rules = rules_of(Plan::hybrid, 1, 2);
  rules.leaves_out = true;
  rules.tuple_bytes = 8;
  // Of the path only 1 and 2 are searched. 0 starts at 1, and both belong to rank 0.
  EXPECT_EQ(walked(4, path, rules, 0), (ByStep{{{outside_levels, Phase::reset}, {40 + 8 + 40, 0}},
                                               {{1, Phase::fold}, {16, 0}},
                                               {{1, Phase::reduce}, {8, 8}}}));
  // A pair of leaves has no level, and is not the main component: all agree on how to emit.
  std::vector<Edge> with_pair = path;
  with_pair.push_back({GlobalVertex{4}, GlobalVertex{5}});
  EXPECT_EQ(walked(6, with_pair, rules, 5), (ByStep{{{outside_levels, Phase::reset}, {0, 40 + 8 + 40}},
                                                    {{outside_levels, Phase::emit}, {8, 8}}}));
}

/// On one grid column: whose parents are likely needs not ask who was reached, in the main component.
TEST(TrafficWalk, LeavesOfTheMainComponentAskWhereNothingIsLikely) {
  TrafficRules rules = rules_of(Plan::hybrid, 2, 1);
  rules.leaves_out = true;
  rules.tuple_bytes = 8;
  const std::pair emit{outside_levels, Phase::emit};
  EXPECT_EQ(walked(4, path, rules, 1).at(emit), (Bytes{64, 64}));  // a line of bitmap
  rules.likely_parents = true;
  EXPECT_FALSE(walked(4, path, rules, 1).contains(emit));
  std::vector<Edge> with_pair = path;
  with_pair.push_back({GlobalVertex{4}, GlobalVertex{5}});
  EXPECT_EQ(walked(6, with_pair, rules, 5).at(emit), (Bytes{8, 8})) << "all agree on how to emit";
}

/// Two numbers a level, for the policy asks for the arcs of what was found; one where it is not asked. Those
/// of the root are told with its place. The last level, which finds nothing, is not searched.
TEST(TrafficWalk, SumsWhatWasFoundAndItsArcsTogether) {
  TrafficRules rules = rules_of(Plan::hybrid, 1, 2);
  rules.direction = TrafficRules::DirectionRule::policy;
  const ByStep steps = walked(4, path, rules, 0);
  EXPECT_EQ(steps.at({outside_levels, Phase::reset}), (Bytes{48, 0}));
  for (const Level level : {0, 1, 2}) {
    EXPECT_EQ(steps.at({level, Phase::reduce}), (Bytes{16, 16})) << "level " << level;
  }
  EXPECT_FALSE(steps.contains({3, Phase::reduce}));
  rules.direction = TrafficRules::DirectionRule::top_down;
  const ByStep top_down = walked(4, path, rules, 0);
  EXPECT_EQ(top_down.at({outside_levels, Phase::reset}), (Bytes{48, 0}));
  EXPECT_EQ(top_down.at({2, Phase::reduce}), (Bytes{8, 8}));
}

/// 2 x 3 ranks: every rank meets two others in its grid row and one in its grid column, not five.
TEST(TrafficWalk, SumsAlongGridRowsThenAlongGridColumns) {
  TrafficRules rules = rules_of(Plan::hybrid, 2, 3);
  rules.direction = TrafficRules::DirectionRule::policy;
  const ByStep steps = walked(6, path, rules, 0);
  const std::int64_t one = 8 * (2 + 1);
  EXPECT_EQ(steps.at({outside_levels, Phase::reset}), (Bytes{48 * 5, 0, 0, 0, 0, 0}));
  for (const Level level : {0, 1, 2}) {
    EXPECT_EQ(steps.at({level, Phase::reduce}), Bytes(6, 2 * one)) << level;
  }
}

TEST(TrafficWalk, PacksPairs) {
  // Of 1 x 2 ranks with 300 vertices each, 0 proposes itself to 300, 301 and 500: one byte for how many, the
  // targets 0, 1, 200 as differences 0, 0, 198, and three sources of 9 bits.
  TrafficRules rules = rules_of(Plan::hybrid, 1, 2);
  rules.packed_fold = true;
  rules.local_dedup = true;
  const ByStep steps = walked(600, test::edges({{0, 300}, {0, 301}, {0, 500}, {301, 302}}), rules, 0);
  EXPECT_EQ(steps.at({0, Phase::fold}), (Bytes{1 + (1 + 1 + 2) + 4, 0}));
  EXPECT_EQ(steps.at({1, Phase::fold}), (Bytes{0, 1 + 1 + 2}));  // 0, by the first of the three
}

/// Scale 20 on 16 ranks: what every rank receives, and sends, in a level after the first.
TEST(TrafficWalk, HasTheClosedFormsOfScale20) {
  const std::int64_t num_vertices = std::int64_t{1} << 20;
  const ByStep two_dim = walked(num_vertices, path, rules_of(Plan::two_dim, 4, 4), 0);
  const ByStep replicated = walked(num_vertices, path, rules_of(Plan::replicated_csr, 16, 1), 0);
  for (const Level level : {1, 2, 3}) {
    EXPECT_EQ(two_dim.at({level, Phase::expand}), Bytes(16, 24576));
    EXPECT_EQ(replicated.at({level, Phase::expand}), Bytes(16, 122880 + 1920));
  }
}

/// One grid column moves what the replicated plan moves but for its summaries, one grid row what simple does.
TEST(TrafficWalk, DegenerateGridsAreTheOneDimensionalPlans) {
  const std::vector<Edge> edges = test::edges_of_the_house();
  const ByStep column = walked(8, edges, rules_of(Plan::two_dim, 4, 1), 3);
  for (const auto& [step, bytes] : walked(8, edges, rules_of(Plan::replicated_csr, 4, 1), 3)) {
    Bytes without_summaries = bytes;
    if (step.second == Phase::expand) {
      for (std::int64_t& sent : without_summaries) sent -= 8 * 3;
    }
    EXPECT_EQ(column.at(step), without_summaries);
  }
  EXPECT_EQ(walked(8, edges, rules_of(Plan::two_dim, 1, 4), 3),
            walked(8, edges, rules_of(Plan::simple, 1, 4), 3));
}

TEST(TrafficWalk, SendsNothingOnOneRank) {
  for (const Plan plan : {Plan::replicated_csr, Plan::simple, Plan::one_sided, Plan::two_dim, Plan::hybrid}) {
    EXPECT_EQ(walked(4, path, rules_of(plan, 1, 1), 0), ByStep{});
  }
}

TEST(TrafficWalk, RefusesWhatContradictsItself) {
  EXPECT_THROW(TrafficWalk(4, path, rules_of(Plan::replicated_csc, 2, 2)), UsageError);
  EXPECT_THROW(TrafficWalk(4, path, rules_of(Plan::simple, 2, 1)), UsageError);
  EXPECT_THROW(TrafficWalk(5, path, rules_of(Plan::simple, 1, 2)).search(GlobalVertex{4}), UsageError);
  TrafficRules rules = rules_of(Plan::two_dim, 1, 4);
  rules.exchange = TrafficRules::Exchange::two_level;
  EXPECT_THROW(TrafficWalk(4, path, rules), UsageError);
  TrafficRules packed = rules_of(Plan::hybrid, 1, 2);
  packed.packed_fold = true;  // of targets that come twice
  EXPECT_THROW(TrafficWalk(4, path, packed), UsageError);
  rules.node_of_rank = {0, 0, 0, 1};
  EXPECT_THROW(TrafficWalk(4, path, rules).search(GlobalVertex{0}), UsageError);
}

}  // namespace
}  // namespace isobath::reference
