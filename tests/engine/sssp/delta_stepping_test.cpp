// SPDX-License-Identifier: Apache-2.0
// The plan `delta-stepping` on every grid, with one thread and two, against the serial twin: distances bit by
// bit, parents by what makes them right.
#include "sssp/delta_stepping.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/adjacency.hpp"
#include "reference/dijkstra.hpp"
#include "reference/kronecker.hpp"
#include "sssp/descent_twin.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath {
namespace {

using test::WeightedGraph;

GlobalVertex vertex(std::int64_t v) { return GlobalVertex{v}; }

/// Weights over forty powers of two, so that sums lose most of what they add.
WeightedGraph of_all_sizes(test::SampleGraph graph) {
  WeightedGraph sample = test::weighted(std::move(graph), test::Weighing::uniform);
  sample.graph.name += ", of all sizes";
  for (std::size_t i = 0; i < sample.weights.size(); ++i) {
    sample.weights[i] = std::ldexp(1 + sample.weights[i], static_cast<int>(i * 7 % 60) - 40);
  }
  return sample;
}

/// The benchmark's graph with the benchmark's weights.
WeightedGraph kronecker(int scale) {
  WeightedGraph sample{{fmt::format("kronecker scale {}", scale), std::int64_t{1} << scale, {}}, {}};
  for (std::int64_t i = 0; i < 16 * sample.graph.num_vertices; ++i) {
    const reference::WeightedEdge edge = reference::kronecker_edge({.scale = scale}, i);
    sample.graph.edges.push_back(edge.edge);
    sample.weights.push_back(edge.weight);
  }
  return sample;
}

/// Several ranks share two cores, and every round of a search waits for all of them.
bool is_alone() { return test::world().size() == 1; }
std::size_t searches(std::size_t alone) { return is_alone() ? alone : 1; }

std::vector<WeightedGraph> samples() {
  std::vector<WeightedGraph> samples;
  for (const test::SampleGraph& graph : test::odd_graphs()) {
    if (!is_alone() && graph.num_vertices > 64) continue;  // long ones have a round for every few vertices
    samples.push_back(test::weighted(graph, test::Weighing::uniform));
  }
  const std::vector<test::SampleGraph> graphs = {test::lattice(5, 7), test::random_multigraph(3, 150, 900),
                                                 test::random_multigraph(5, 400, 3000, 8),
                                                 test::archipelago(7, 300)};
  std::size_t kind = 0;
  for (const test::SampleGraph& graph : graphs) {
    // Every graph with every weighing; on several ranks, which take longer, each with another one.
    for (const test::Weighing weighing : test::all_weighings) {
      if (is_alone() || kind++ % 4 == 0) samples.push_back(test::weighted(graph, weighing));
    }
    if (is_alone()) samples.push_back(of_all_sizes(graph));
  }
  return samples;
}

/// A plan over a sample; every rank contributes its share, and gets the whole answer.
class PlannedPaths {
 public:
  PlannedPaths(const WeightedGraph& sample, GridShape shape, double delta,
               const WeightedGraphOptions& graph = {}) {
    const Communicator& world = test::world();
    const SpanWeightedEdgeStream edges = test::share_of(sample, world.rank(), world.size());
    PhaseObserver nobody;
    plan_ = std::make_unique<DeltaStepping>(
        edges, world, PathOptions{.shape = shape, .delta = delta, .graph = graph}, nobody);
  }
  reference::ShortestPathTree search(GlobalVertex root) {
    SearchObserver nobody;
    const FoundTree found = plan_->search(root, nobody);
    return {test::world().allgatherv<GlobalVertex>(found.parents),
            test::world().allgatherv<float>(found.distances)};
  }
  SearchPlan& plan() { return *plan_; }

 private:
  std::unique_ptr<DeltaStepping> plan_;
};

void expect_right(const WeightedGraph& sample, GridShape shape, double delta, std::size_t wanted,
                  const WeightedGraphOptions& graph = {}) {
  PlannedPaths paths(sample, shape, delta, graph);
  for (const GlobalVertex root : test::path_roots(sample, wanted)) {
    const reference::ShortestPathTree found = paths.search(root);
    ASSERT_EQ(test::complaint_about_paths(sample, root, found.parents, found.distances), "")
        << fmt::format("{} on {}, delta {}, root {}", sample.graph.name, shape.text(), delta, raw(root));
  }
}

class DeltaSteppingThreads : public testing::TestWithParam<int> {};

TEST_P(DeltaSteppingThreads, AgreesWithTheTwinOnEveryGrid) {
  const int before = max_threads();
  set_num_threads(GetParam());
  for (const WeightedGraph& sample : samples()) {
    for (const GridShape shape : test::shapes_of(test::world().size()))
      expect_right(sample, shape, 0, searches(12));
  }
  set_num_threads(before);
}

TEST_P(DeltaSteppingThreads, AgreesWithTheTwinOnTheBenchmarksGraphs) {
  const int before = max_threads();
  set_num_threads(GetParam());
  const int last = is_alone() ? 12 : 8;
  for (int scale = 8; scale <= last; ++scale) {
    const WeightedGraph sample = kronecker(scale);
    for (const GridShape shape : test::shapes_of(test::world().size()))
      expect_right(sample, shape, 0, searches(6));
  }
  set_num_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Each, DeltaSteppingThreads, testing::Values(1, 2));

TEST(DeltaStepping, AgreesWithTheTwinWhateverTheWidthOfABucket) {
  const WeightedGraph sample = kronecker(6);
  // Several ranks exchange messages for every bucket.
  for (const double delta : is_alone() ? std::vector{1e-30, 0.01, 0.3, 1e30} : std::vector{0.1, 1e30}) {
    for (const GridShape shape : test::shapes_of(test::world().size())) expect_right(sample, shape, delta, 1);
  }
}

/// Worked by hand: 0 -1- 1 -1- 2, and 0 -3- 2 in two copies, the second lighter by one step; a loop; a pair
/// (4, 5) apart; 6 alone; a leaf 3 at 2 by two copies.
TEST(DeltaStepping, FindsWhatIsWorkedOutByHand) {
  const WeightedGraph sample{{"by hand",
                              7,
                              {{vertex(0), vertex(1)},
                               {vertex(1), vertex(2)},
                               {vertex(0), vertex(2)},
                               {vertex(2), vertex(0)},
                               {vertex(1), vertex(1)},
                               {vertex(4), vertex(5)},
                               {vertex(3), vertex(2)},
                               {vertex(2), vertex(3)}}},
                             {1, 1, 3, 1.75F, 0, 0.5F, 4, 0.25F}};
  const float none = reference::no_distance;
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    PlannedPaths paths(sample, shape, 0);
    EXPECT_EQ(paths.search(vertex(0)).distances, (std::vector<float>{0, 1, 1.75F, 2, none, none, none}));
    const reference::ShortestPathTree from_leaf = paths.search(vertex(3));
    EXPECT_EQ(from_leaf.distances, (std::vector<float>{2, 1.25F, 0.25F, 0, none, none, none}));
    EXPECT_EQ(from_leaf.parents, (std::vector<GlobalVertex>{vertex(2), vertex(2), vertex(3), vertex(3),
                                                            no_vertex, no_vertex, no_vertex}));
    const reference::ShortestPathTree from_pair = paths.search(vertex(5));
    EXPECT_EQ(from_pair.distances, (std::vector<float>{none, none, none, none, 0.5F, 0, none}));
    EXPECT_EQ(from_pair.parents[4], vertex(5));
    EXPECT_EQ(paths.search(vertex(0)).distances[4], none) << "what the search before reached is forgotten";
    EXPECT_EQ(paths.plan().traversed_edges(vertex(0)).without_self_loops, 6);
    EXPECT_EQ(paths.plan().traversed_edges(vertex(0)).self_loops, 1);
    EXPECT_EQ(paths.plan().traversed_edges(vertex(4)).without_self_loops, 1);
    EXPECT_EQ(paths.plan().facts().distinct_edges, 5);
    EXPECT_EQ(paths.plan().facts().isolated_vertices, 1);
    EXPECT_EQ(paths.plan().facts().components, 2);
    const std::vector<GlobalVertex> asked = {vertex(0), vertex(3), vertex(6)};
    EXPECT_EQ(paths.plan().has_neighbour(asked), (std::vector<char>{1, 1, 0}));
  }
}

/// Hubs long enough that a search turns from pushing to pulling, with ties and edges that add nothing. Every
/// grid has weights of its own: all with all would take long.
TEST(DeltaStepping, AgreesWithTheTwinWhereHubsTurnTheSearch) {
  const test::SampleGraph graph = test::random_multigraph(11, 3000, 20000, 4);
  std::vector<WeightedGraph> samples = {of_all_sizes(graph)};
  for (const test::Weighing weighing : test::all_weighings)
    samples.push_back(test::weighted(graph, weighing));
  const std::vector<GridShape> shapes = test::shapes_of(test::world().size());
  ASSERT_LE(shapes.size(), samples.size()) << "a grid would be left out";
  for (std::size_t k = 0; k < samples.size(); ++k) {
    expect_right(samples[k], shapes[k % shapes.size()], 0, searches(8));
  }
}

/// Copies of one edge make a hub, so that the search descends; of many ranks some have no vertex at all.
TEST(DeltaStepping, DescendsWhereRanksHaveNoVertices) {
  test::SampleGraph copies{"300 copies", 3, std::vector<Edge>(300, Edge{vertex(0), vertex(1)})};
  copies.edges.push_back({vertex(1), vertex(2)});
  copies.edges.push_back({vertex(2), vertex(0)});
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    expect_right(test::weighted(copies, test::Weighing::uniform), shape, 0, 3);
  }
}

/// So many vertices that every rank emits whole blocks, sixteen vertices at a time.
TEST(DeltaStepping, AgreesWithTheTwinWhereWholeBlocksAreEmitted) {
  const std::int64_t n = 2500 * test::world().size();
  const WeightedGraph sample =
      test::weighted(test::random_multigraph(29, n, 3 * n, 2), test::Weighing::uniform);
  for (const GridShape shape : test::shapes_of(test::world().size())) expect_right(sample, shape, 0, 1);
}

/// A hub whose spokes have weights of their own; links that lie on no shortest path join most of them to the
/// next, the others are leaves. From the hub the climb reaches those within the core radius; the first sweep
/// finds the others.
WeightedGraph linked_star(std::int64_t num_vertices, std::int64_t hub) {
  WeightedGraph sample{{"linked star", num_vertices, {}}, {}};
  const auto add = [&](std::int64_t u, std::int64_t v, float weight) {
    sample.graph.edges.push_back({vertex(u), vertex(v)});
    sample.weights.push_back(weight);
  };
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    if (v == hub) continue;
    add(v, hub, static_cast<float>(1 + v * 7919 % num_vertices) / static_cast<float>(num_vertices));
    const std::int64_t next = v + 1 == hub ? v + 2 : v + 1;
    if (v % 8 != 0 && next < num_vertices && next % 8 != 0) add(v, next, 4);
  }
  return sample;
}

/// What this rank sent from the first sweep on.
class BytesOfDescent final : public SearchObserver {
 public:
  explicit BytesOfDescent(const SearchPlan& plan) : plan_(plan) {}
  void phase(Phase begun) override {
    if (begun == Phase::descend && !before_) before_ = plan_.traffic();
  }
  std::int64_t sent() const { return (plan_.traffic() - before_.value()).bytes_sent; }
  std::int64_t calls() const { return (plan_.traffic() - before_.value()).calls; }

 private:
  const SearchPlan& plan_;
  std::optional<Traffic> before_;
};

TEST(DeltaStepping, SendsInItsSweepsWhatTheTwinSends) {
  const Communicator& world = test::world();
  if (world.size() == 1) return;  // nothing is sent
  constexpr std::int64_t n = 3001;
  constexpr std::int64_t hub = 17;
  const WeightedGraph sample = linked_star(n, hub);
  for (const GridShape shape : test::shapes_of(world.size())) {
    for (const Hypersparse kept : {Hypersparse::never, Hypersparse::always}) {
      PlannedPaths paths(sample, shape, 0, {.hypersparse = kept});
      const double radius = paths.plan().facts().prepared.core_radius;
      BytesOfDescent bytes(paths.plan());
      paths.plan().search(vertex(hub), bytes);
      EXPECT_EQ(bytes.sent(), test::DescentTwin(sample, shape, hub, radius).bytes_of(world.rank()))
          << shape.text() << (kept == Hypersparse::always ? ", by place" : "");
    }
  }
}

/// Rows and columns by place, and little told at once, as on a hundred thousand ranks: of every owner some
/// windows of 512 vertices.
TEST(DeltaStepping, AgreesWithTheTwinWhateverItKeepsAndHoweverLittleIsToldAtOnce) {
  struct Case {
    WeightedGraph sample;
    std::vector<Hypersparse> kept;
  };
  const std::int64_t n = 1300 * test::world().size();
  const std::vector<Case> cases = {
      {kronecker(7), {Hypersparse::always}},
      {test::weighted(test::crowded_corner(n), test::Weighing::uniform), {Hypersparse::by_count}},
      {test::weighted(test::random_multigraph(31, n, 6 * n, 4), test::Weighing::coarse),
       {Hypersparse::always}},
      {test::weighted(test::archipelago(7, 200), test::Weighing::uniform), {Hypersparse::always}},
      {linked_star(n, 17), {Hypersparse::never, Hypersparse::always}}};
  const int threads = max_threads();
  int turn = 0;
  for (const auto& [sample, all_kept] : cases) {
    for (const Hypersparse kept : all_kept) {
      for (const GridShape shape : test::shapes_of(test::world().size())) {
        set_num_threads(1 + turn++ % 2);
        expect_right(sample, shape, 0, 1, {.hypersparse = kept, .told_bytes = 1});
      }
    }
    expect_right(sample, GridShape::squarest(test::world().size()), 0, 2,
                 {.hypersparse = Hypersparse::always});
  }
  set_num_threads(threads);
}

/// Low parts of so few bits that high parts are needed, in all that says an original: arcs, leaves, offers,
/// answers, and what is emitted.
TEST(DeltaStepping, AgreesWithTheTwinByWidePositions) {
  const std::int64_t n = 1300 * test::world().size();
  const std::vector<std::pair<WeightedGraph, int>> cases = {
      {kronecker(7), 3},
      {test::weighted(test::random_multigraph(11, 900, 6000, 4), test::Weighing::coarse), 4},
      {test::weighted(test::archipelago(7, 200), test::Weighing::uniform), 3},
      {linked_star(n, 17), 5}};
  const int threads = max_threads();
  int turn = 0;
  for (const auto& [sample, position_bits] : cases) {
    for (const Hypersparse kept : {Hypersparse::never, Hypersparse::always}) {
      for (const GridShape shape : test::shapes_of(test::world().size())) {
        set_num_threads(1 + turn++ % 2);
        expect_right(sample, shape, 0, searches(4), {.hypersparse = kept, .position_bits = position_bits});
      }
    }
    expect_right(sample, GridShape::squarest(test::world().size()), 0, 1,
                 {.hypersparse = Hypersparse::always, .told_bytes = 1, .position_bits = position_bits});
  }
  set_num_threads(threads);
}

/// Every vertex hangs from the same parent: sums of these weights are not equal.
TEST(DeltaStepping, FindsTheSameTreesByWidePositions) {
  const std::int64_t n = 300 * test::world().size();
  const WeightedGraph sample =
      test::weighted(test::random_multigraph(29, n, 5 * n, 2), test::Weighing::uniform);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    PlannedPaths narrow(sample, shape, 0);
    PlannedPaths wide(sample, shape, 0, {.position_bits = 3});
    for (const GlobalVertex root : test::path_roots(sample, 2)) {
      const reference::ShortestPathTree expected = narrow.search(root);
      const reference::ShortestPathTree found = wide.search(root);
      EXPECT_EQ(found.distances, expected.distances) << shape.text();
      EXPECT_EQ(found.parents, expected.parents) << shape.text();
    }
  }
}

/// Calls of MPI that all ranks made from the first sweep on.
std::int64_t calls_of_descent(const WeightedGraph& sample, GridShape shape,
                              const WeightedGraphOptions& options) {
  PlannedPaths paths(sample, shape, 0, options);
  BytesOfDescent observed(paths.plan());
  paths.plan().search(vertex(17), observed);
  return test::world().sum(observed.calls());
}

TEST(DeltaStepping, TellsInSeveralCallsWhatWouldBeTooMuchAtOnce) {
  if (test::world().size() == 1) return;  // nothing is told
  const WeightedGraph sample = linked_star(1300 * test::world().size(), 17);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    for (const Hypersparse kept : {Hypersparse::never, Hypersparse::always}) {
      EXPECT_GT(calls_of_descent(sample, shape, {.hypersparse = kept, .told_bytes = 1}),
                calls_of_descent(sample, shape, {.hypersparse = kept}))
          << shape.text();
    }
  }
}

/// Half of the vertices around four of them: of the others hardly any occurs on the ranks of the last grid
/// columns.
TEST(DeltaStepping, SaysOnHowManyRanksRowsAreReadWithoutStreams) {
  const int ranks = test::world().size();
  const WeightedGraph sample = test::weighted(test::crowded_corner(1205), test::Weighing::uniform);
  PlannedPaths paths(sample, {1, ranks}, 0);
  const Prepared& prepared = paths.plan().facts().prepared;
  EXPECT_EQ(prepared.light_streams, 4);
  EXPECT_EQ(prepared.ranks_without_light_streams > 0, ranks > 1);
  EXPECT_LT(prepared.ranks_without_light_streams, ranks);
}

/// Rounds of a search, and how many vertices its first sweep was told of.
class Rounds final : public SearchObserver {
 public:
  void level_started(Level /*round*/, Direction /*direction*/, std::int64_t vertices) override {
    ++count_;
    vertices_ = vertices;
  }
  void phase(Phase begun) override {
    if (begun == Phase::descend && !told_) told_ = vertices_;
  }
  int count() const { return count_; }
  std::int64_t told() const { return told_.value(); }

 private:
  int count_ = 0;
  std::int64_t vertices_ = 0;
  std::optional<std::int64_t> told_;
};

/// Buckets are of width 1. Vertex 2 waits at 3.5, and is taken at 1.7: nothing is left at 3.5, and 3 at 6.7
/// is next. All are of one rank, others have nothing.
TEST(DeltaStepping, MakesNoRoundForVerticesThatWereLoweredSince) {
  const int ranks = test::world().size();
  if (ranks == 1) return;  // nobody waits for a round
  const WeightedGraph sample{{"lowered while it waits",
                              8 * ranks,
                              {{vertex(0), vertex(2)},
                               {vertex(0), vertex(1)},
                               {vertex(1), vertex(2)},
                               {vertex(2), vertex(3)},
                               {vertex(3), vertex(0)}}},
                             {3.5F, 1.2F, 0.5F, 5, 100}};
  for (const GridShape shape : test::shapes_of(ranks)) {
    PlannedPaths paths(sample, shape, 1);
    Rounds rounds;
    paths.plan().search(vertex(0), rounds);
    EXPECT_EQ(rounds.count(), 4) << shape.text() << ": one for each vertex";
  }
}

/// Two hubs 2 apart, spokes up to 1 long, two of three at the first hub; links that lie on no shortest path
/// join most spokes of a hub.
WeightedGraph two_stars(std::int64_t num_vertices, std::int64_t first_hub, std::int64_t second_hub) {
  WeightedGraph sample{{"two stars", num_vertices, {{vertex(first_hub), vertex(second_hub)}}}, {2}};
  const auto is_hub = [&](std::int64_t v) { return v == first_hub || v == second_hub; };
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    if (is_hub(v)) continue;
    sample.graph.edges.push_back({vertex(v), vertex(v % 3 == 0 ? second_hub : first_hub)});
    sample.weights.push_back(static_cast<float>(1 + v * 7919 % num_vertices) /
                             static_cast<float>(num_vertices));
    if (v + 3 >= num_vertices || is_hub(v + 3)) continue;
    sample.graph.edges.push_back({vertex(v), vertex(v + 3)});
    sample.weights.push_back(4);
  }
  return sample;
}

/// A search from a hub settles, before it sweeps, whatever lies nearer than the core radius and the way to
/// the largest hub together: else few of those around the largest. Leaves are told of by nobody.
TEST(DeltaStepping, ClimbsBeyondAHubAsFarAsItLiesFromTheLargest) {
  if (test::world().size() == 1) return;  // one rank keeps its radius
  constexpr std::int64_t n = 1201;
  constexpr std::int64_t second_hub = 1000;
  const WeightedGraph sample = two_stars(n, 5, second_hub);
  const auto adjacency = reference::weighted_adjacency(n, sample.graph.edges, sample.weights);
  const std::vector<float> distances = reference::dijkstra(adjacency, vertex(second_hub)).distances;
  const std::vector<std::vector<GlobalVertex>> neighbours =
      reference::adjacency(n, sample.graph.edges).neighbours;
  const auto nearer_than = [&](float limit) {
    std::int64_t count = 0;
    for (std::size_t v = 0; v < distances.size(); ++v) {
      count += distances[v] < limit && neighbours[v].size() > 1 ? 1 : 0;
    }
    return count;
  };
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    PlannedPaths paths(sample, shape, 0);
    const auto radius = static_cast<float>(paths.plan().facts().prepared.core_radius);
    Rounds rounds;
    paths.plan().search(vertex(second_hub), rounds);
    EXPECT_EQ(rounds.told(), nearer_than(radius + 2)) << shape.text();
    EXPECT_LT(2 * nearer_than(radius), nearer_than(radius + 2)) << shape.text();
  }
}

TEST(DeltaStepping, RefusesWeightsThatAreNone) {
  for (const float bad : {-1.0F, -1e-30F, std::nanf(""), reference::no_distance}) {
    const WeightedGraph sample{{"bad", 3, {{vertex(0), vertex(1)}, {vertex(1), vertex(2)}}}, {0.5F, bad}};
    EXPECT_THROW(PlannedPaths(sample, GridShape::squarest(test::world().size()), 0), UsageError) << bad;
  }
  const WeightedGraph negative_zero{{"-0", 2, {{vertex(0), vertex(1)}}}, {-0.0F}};
  PlannedPaths paths(negative_zero, GridShape::squarest(test::world().size()), 0);
  EXPECT_EQ(paths.search(vertex(0)).distances[1], 0);
}

TEST(DeltaStepping, TellsWhatWasPrepared) {
  const Communicator& world = test::world();
  const WeightedGraph sample = kronecker(9);
  const auto [first, end] = edge_share(std::ssize(sample.graph.edges), world.rank(), world.size());
  const auto at = static_cast<std::size_t>(first);
  const auto count = static_cast<std::size_t>(end - first);
  const SpanWeightedEdgeStream edges(sample.graph.num_vertices,
                                     std::span(sample.graph.edges).subspan(at, count),
                                     std::span(sample.weights).subspan(at, count));
  PhaseObserver nobody;
  const GridShape shape{1, world.size()};
  const DeltaStepping plan(edges, world, {.shape = shape}, nobody);
  const Prepared& prepared = plan.facts().prepared;
  EXPECT_TRUE(prepared.by_degree);
  EXPECT_TRUE(prepared.by_weight);
  EXPECT_FALSE(prepared.first_neighbours) << "a weighted graph has none";
  EXPECT_EQ(prepared.likely_parents, 0);
  EXPECT_EQ(prepared.light_streams, 4);
  EXPECT_EQ(prepared.ranks_without_light_streams, 0);
  EXPECT_GT(prepared.core_radius, 0);
  EXPECT_GT(plan.facts().leaves, 0);
  const DeltaStepping by_place(edges, world, {.shape = shape, .graph = {.hypersparse = Hypersparse::always}},
                               nobody);
  EXPECT_EQ(by_place.facts().prepared.light_streams, world.size() == 1 ? 4 : 0);
  EXPECT_EQ(by_place.facts().prepared.ranks_without_light_streams, 0);
  EXPECT_EQ(by_place.facts().stored_arcs, plan.facts().stored_arcs);
}

}  // namespace
}  // namespace isobath
