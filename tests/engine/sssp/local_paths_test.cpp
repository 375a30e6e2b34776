// SPDX-License-Identifier: Apache-2.0
// A search that one rank makes alone, against Dijkstra's search. Of several ranks each has a graph of its
// own.
#include "sssp/local_paths.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "reference/dijkstra.hpp"
#include "sssp/path_core.hpp"
#include "sssp/weighted_graphs.hpp"

namespace isobath {
namespace {

/// A graph that this rank has alone.
struct LoneGraph {
  explicit LoneGraph(test::WeightedGraph wanted)
      : sample(std::move(wanted)),
        alone(test::world().split(test::world().rank(), 0)),
        grid(Grid::arrange(alone, {1, 1})),
        edges(test::share_of(sample, 0, 1)),
        graph(construct_weighted_graph(edges, alone, grid, nobody)) {}

  /// By working number, from a searched vertex that is `distance` away from the root.
  std::vector<float> expected(std::uint32_t source, float distance) const {
    // One more vertex, joined to the source alone, is the root.
    std::vector<Edge> all = sample.graph.edges;
    std::vector<float> weights = sample.weights;
    const GlobalVertex root{sample.graph.num_vertices};
    all.push_back({root, GlobalVertex{graph.numbering.original[source]}});
    weights.push_back(distance);
    const std::vector<float> found =
        reference::dijkstra(reference::weighted_adjacency(raw(root) + 1, all, weights), root).distances;
    std::vector<float> own;
    for (std::uint32_t v = 0; v < graph.layout.own_searched(); ++v)
      own.push_back(found[graph.numbering.original[v]]);
    return own;
  }

  test::WeightedGraph sample;
  Communicator alone;
  Grid grid;
  SpanWeightedEdgeStream edges;
  PhaseObserver nobody;
  Graph graph;
};

std::vector<float> found_by(const LocalPaths& paths, const LoneGraph& lone) {
  const std::span<const float> own = paths.distances().first(lone.graph.layout.own_searched());
  return {own.begin(), own.end()};
}

/// Every parent's distance and the weight of an arc to it are the vertex's distance.
void expect_parents_right(const LocalPaths& paths, const LoneGraph& lone, std::uint32_t source) {
  for (std::uint32_t v = 0; v < lone.graph.layout.own_searched(); ++v) {
    if (v == source || paths.distances()[v] == unreached) continue;
    bool is_right = false;
    for (const WeightedArc& arc : lone.graph.weighted.of(v)) {
      is_right = is_right || (arc.to == paths.parents()[v] &&
                              paths.distances()[arc.to] + arc.weight == paths.distances()[v]);
    }
    EXPECT_TRUE(is_right) << lone.sample.graph.name << ", vertex " << v;
  }
}

std::uint64_t seed(std::uint64_t of_first_rank) {
  return of_first_rank + 100 * static_cast<std::uint64_t>(test::world().rank());
}

TEST(LocalPaths, AgreeWithTheTwinWhateverTheBucketsAndTheCore) {
  // To be alone is collective: every rank has as many graphs, of several each with other weights.
  const int kinds = test::world().size() == 1 ? static_cast<int>(std::size(test::all_weighings)) : 1;
  for (int kind = 0; kind < kinds; ++kind) {
    const test::Weighing weighing =
        test::all_weighings[static_cast<std::size_t>(kind + test::world().rank()) %
                            std::size(test::all_weighings)];
    for (const test::SampleGraph& graph :
         {test::random_multigraph(seed(3), 200, 900), test::random_multigraph(seed(5), 600, 4000, 3),
          test::archipelago(seed(7), 150), test::lattice(6, 8)}) {
      const LoneGraph lone(test::weighted(graph, weighing));
      const std::uint32_t searched = lone.graph.layout.own_searched();
      for (const double delta : {0.0, 0.03, 50.0}) {
        LocalPaths paths(lone.graph, delta);
        EXPECT_EQ(paths.core_radius(), 0);
        SearchObserver nobody;
        for (const std::uint32_t source : {0U, searched / 2, searched - 1}) {
          for (const float distance : {0.0F, 0.3F}) {
            paths.search(source, distance, nobody);
            EXPECT_EQ(found_by(paths, lone), lone.expected(source, distance))
                << fmt::format("{}, delta {}, from {}", lone.sample.graph.name, delta, source);
            expect_parents_right(paths, lone, source);
          }
          paths.choose_core();  // the next search has another core
        }
      }
    }
  }
}

/// The distance in whose way as many vertices lie as the core is to have.
TEST(LocalPaths, ChooseTheCoreByTheNearestVertices) {
  const LoneGraph lone(
      test::weighted(test::random_multigraph(seed(9), 600, 4000, 3), test::Weighing::uniform));
  LocalPaths paths(lone.graph, 0);
  SearchObserver nobody;
  paths.search(0, 0, nobody);
  paths.choose_core();
  std::vector<float> distances;
  for (const float distance : lone.expected(0, 0)) {
    if (distance < unreached) distances.push_back(distance);
  }
  std::ranges::sort(distances);
  EXPECT_EQ(paths.core_radius(), double{distances[distances.size() / core_share]});
}

TEST(LocalPaths, ForgetTheSearchBefore) {
  const LoneGraph lone(test::weighted(test::lattice(8, 9), test::Weighing::equal));
  LocalPaths paths(lone.graph, 0);
  SearchObserver nobody;
  paths.search(0, 0, nobody);
  paths.reset();
  for (const float distance : found_by(paths, lone)) EXPECT_EQ(distance, unreached);
  paths.choose_core();
  EXPECT_EQ(paths.core_radius(), 0) << "of nothing reached there is no core";
}

}  // namespace
}  // namespace isobath
