// SPDX-License-Identifier: Apache-2.0
#include "graph500/disclosures.hpp"

#include <gtest/gtest.h>

namespace isobath {
namespace {

std::string text_of(const std::vector<std::string>& sentences) {
  std::string all;
  for (const std::string& sentence : sentences) {
    EXPECT_EQ(sentence.find(':'), std::string::npos) << sentence;
    all += sentence + "\n";
  }
  return all;
}

bool says(const RunDone& done, const std::string& words) {
  return text_of(disclosures(done)).find(words) != std::string::npos;
}

/// Of a hybrid that did nothing but store rows.
GraphFacts plain_graph() {
  GraphFacts graph;
  graph.num_vertices = graph.searched_vertices = 1000;
  return graph;
}

RunDone bfs(const GraphFacts& graph, int warmups = 1) {
  return {.bfs = KernelDone{"hybrid", graph, warmups}, .sssp = {}};
}

TEST(Disclosures, NameWhatConstructionDidAndNothingElse) {
  const std::string plainest = text_of(disclosures(bfs(plain_graph())));
  EXPECT_EQ(plainest,
            "construction_time includes component labels, which give the number of traversed edges\n"
            "every search clears its arrays and writes parents in the original numbering inside its time\n"
            "one untimed warm-up search was run before the timed ones\n");
  const auto with = [](auto&& change) {
    GraphFacts graph = plain_graph();
    change(graph);
    return bfs(graph);
  };
  EXPECT_TRUE(
      says(with([](GraphFacts& g) { g.prepared.by_degree = true; }), "relabelling of vertices by degree"));
  EXPECT_TRUE(says(with([](GraphFacts& g) { g.prepared.families = 640; }), "includes 640 families"));
  EXPECT_TRUE(says(with([](GraphFacts& g) { g.prepared.told_hubs = 90; }),
                   "among the 90 vertices of highest degree"));
  EXPECT_TRUE(says(with([](GraphFacts& g) { g.prepared.first_neighbours = true; }),
                   "the first neighbours of every row, apart from the rows\n"));
  const auto on_some_ranks = [&](int without) {
    return with([&](GraphFacts& g) {
      g.prepared.first_neighbours = true;
      g.prepared.ranks_without_first_neighbours = without;
    });
  };
  EXPECT_TRUE(
      says(on_some_ranks(6), "apart from the rows, except on 6 ranks of whose rows most have no arc\n"));
  EXPECT_TRUE(
      says(on_some_ranks(1), "apart from the rows, except on 1 rank of whose rows most have no arc\n"));
  EXPECT_TRUE(says(with([](GraphFacts& g) { g.prepared.likely_parents = 12; }),
                   "in original numbering, of the likely parents of 12 vertices"));
  const RunDone leaves = with([](GraphFacts& g) {
    g.leaves = 100;
    g.searched_vertices = 600;
  });
  EXPECT_TRUE(says(leaves, "left 100 vertices of one distinct neighbour (leaves) out"));
  EXPECT_TRUE(says(leaves, "left 300 isolated vertices out"));
}

TEST(Disclosures, CountTheWarmUpSearchesOfAllKernels) {
  EXPECT_TRUE(says(bfs(plain_graph(), 0), "no untimed warm-up search was run before the timed ones\n"));
  RunDone both = bfs(plain_graph());
  both.sssp = KernelDone{"delta-stepping", plain_graph(), 1};
  EXPECT_TRUE(says(
      both, "two untimed warm-up searches were run before the timed ones, one for BFS and one for SSSP\n"));
  both.bfs->warmup_searches = 0;
  EXPECT_TRUE(says(both, "one untimed warm-up search was run before the timed ones\n"));
}

TEST(Disclosures, NameWhatKernel3Prepared) {
  GraphFacts graph = plain_graph();
  graph.prepared = {.by_degree = true, .by_weight = true, .light_streams = 4, .core_radius = 0.125};
  const RunDone one = {.bfs = {}, .sssp = KernelDone{"delta-stepping", graph, 1}};
  EXPECT_TRUE(says(one, "the graph of the shortest-path plan delta-stepping\n"));
  EXPECT_TRUE(says(one, "rows sorted by weight\n"));
  EXPECT_TRUE(says(one, "the 4 lightest arcs of every row\n"));
  EXPECT_TRUE(says(one, "chose the radius 0.125 "));
  EXPECT_FALSE(says(one, "PRUNED"));
  EXPECT_FALSE(says(one, "for SSSP")) << "one kernel needs no name";
  graph.prepared.ranks_without_light_streams = 3;
  EXPECT_TRUE(says({.bfs = {}, .sssp = KernelDone{"delta-stepping", graph, 1}},
                   "the 4 lightest arcs of every row, except on 3 ranks of whose rows most have no arc\n"));
  graph.prepared = {};
  const RunDone several_ranks = {.bfs = {}, .sssp = KernelDone{"delta-stepping", graph, 1}};
  EXPECT_FALSE(says(several_ranks, "lightest")) << "not done, so not told";
  EXPECT_FALSE(says(several_ranks, "radius"));
  RunDone both = bfs(plain_graph());
  both.sssp = KernelDone{"landmark", graph, 1, true};
  EXPECT_TRUE(says(both, "PRUNED, construction left out edges"));
  EXPECT_TRUE(
      says(both, "for SSSP, construction_time includes the graph of the shortest-path plan landmark"));
}

TEST(LabelDisclosures, TellWhatNumbersAreCalled) {
  EXPECT_EQ(text_of(label_disclosures(true, false)), "");
  EXPECT_NE(text_of(label_disclosures(false, false)).find("UNVALIDATED"), std::string::npos);
  EXPECT_NE(text_of(label_disclosures(true, true)).find("oversubscribed"), std::string::npos);
}

}  // namespace
}  // namespace isobath
