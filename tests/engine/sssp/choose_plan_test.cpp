// SPDX-License-Identifier: Apache-2.0
// Which plan a graph gets where none is asked for, and that its distances are right all the same.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "sssp/kept_edges.hpp"
#include "sssp/landmark_start.hpp"
#include "sssp/plan.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath {
namespace {

using test::Weighing;
using test::WeightedGraph;

struct Choice {
  std::string plan;
  std::string reason;
};

/// What is chosen; searches it too.
Choice choice_for(const WeightedGraph& graph) {
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  const PathOptions options{.shape = {world.size(), 1}, .delta = 0};
  const auto plan = construct_path_plan(any_path_plan, edges, world, options, observer);
  const std::size_t roots = world.size() == 1 ? 4 : 1;
  for (const GlobalVertex root : test::path_roots(graph, roots)) {
    const FoundTree paths = plan->search(root, observer);
    const auto parents = world.allgatherv<GlobalVertex>(paths.parents);
    const auto distances = world.allgatherv<float>(paths.distances);
    EXPECT_EQ(test::complaint_about_paths(graph, root, parents, distances), "");
  }
  EXPECT_EQ(plan->is_pruned(), plan->name() == "landmark");
  return {std::string(plan->name()), plan->reason()};
}

TEST(ChoosePlan, ALandmarkWhereHubsDominate) {
  const Choice choice = choice_for(test::weighted(test::kronecker_graph(11, 16), Weighing::uniform));
  EXPECT_EQ(choice.plan, "landmark");
  EXPECT_NE(choice.reason.find("the landmark leaves out "), std::string::npos) << choice.reason;
}

TEST(ChoosePlan, DeltaSteppingWhereNoneDoes) {
  const Choice choice = choice_for(test::weighted(test::lattice(16, 17), Weighing::uniform));
  EXPECT_EQ(choice.plan, "delta-stepping");
  EXPECT_NE(choice.reason.find("no landmark dominates: it leaves out 0 %"), std::string::npos)
      << choice.reason;
}

TEST(ChoosePlan, DeltaSteppingWhereWeightsAreAlike) {
  for (const Weighing weighing : {Weighing::none, Weighing::equal}) {
    const Choice choice = choice_for(test::weighted(test::kronecker_graph(8, 16), weighing));
    EXPECT_EQ(choice.plan, "delta-stepping");
    EXPECT_EQ(choice.reason, "weights are alike: 100 % of a sample are among its lightest");
  }
}

TEST(ChoosePlan, SmallAndOddGraphs) {
  for (const test::SampleGraph& graph : test::odd_graphs()) {
    if (graph.edges.empty()) continue;
    // Several ranks share two cores, and long graphs have a round for every few vertices.
    if (test::world().size() > 1 && graph.num_vertices > 64) continue;
    EXPECT_NE(choice_for(test::weighted(graph, Weighing::coarse)).reason, "");
  }
}

TEST(ChoosePlan, AskedForPlansHaveNoReason) {
  const WeightedGraph graph = test::weighted(test::kronecker_graph(6, 16), Weighing::uniform);
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  for (const std::string& name : path_plan_names()) {
    const PathOptions options{.shape = {world.size(), 1}, .delta = 0};
    const auto plan = construct_path_plan(name, edges, world, options, observer);
    EXPECT_EQ(plan->name(), name);
    EXPECT_EQ(plan->reason(), "");
  }
}

/// The part that a sample promises against that which the second pass takes.
TEST(ChoosePlan, TheSampleIsNearWhatIsTaken) {
  const WeightedGraph graph = test::weighted(test::kronecker_graph(12, 16), Weighing::uniform);
  const Communicator& world = test::world();
  const auto edges = test::share_of(graph, world.rank(), world.size());
  SearchObserver observer;
  LandmarkStart start(edges, world, sample_edges(edges, world), observer);
  const double likely = start.likely_part();
  const KeptEdges kept = start.take_kept_edges(observer);
  // What is kept in the end is less: distances are better after the second pass, and copies go.
  const auto arcs = world.sum(static_cast<std::int64_t>(kept.rows.num_arcs()));
  const double part = static_cast<double>(arcs) / 2 / static_cast<double>(graph.graph.edges.size());
  EXPECT_LE(part, likely);
  EXPECT_GT(part, likely / 4);
}

}  // namespace
}  // namespace isobath
