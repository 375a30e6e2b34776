// SPDX-License-Identifier: Apache-2.0
// Hubs, and those that owners keep, against what the edge list says, on every grid.
#include "graph/hubs.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/graph.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

/// The rules once more, over the whole graph: degrees with copies, neighbours without.
struct Twin {
  Twin(const SampleGraph& sample, const NumberingOptions& options, GridShape shape)
      : neighbours(static_cast<std::size_t>(sample.num_vertices)),
        degree(static_cast<std::size_t>(sample.num_vertices), 0) {
    for (const auto& [u, v] : sample.edges) {
      if (u == v) continue;
      neighbours[index(u)].insert(raw(v));
      neighbours[index(v)].insert(raw(u));
      ++degree[index(u)];
      ++degree[index(v)];
    }
    std::vector<std::int64_t> degrees;
    for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
      const std::size_t distinct = neighbours[static_cast<std::size_t>(v)].size();
      const bool is_searched = (distinct > 0 || !options.relabel) && (distinct != 1 || !options.leaves_out);
      searched.push_back(is_searched);
      if (is_searched) degrees.push_back(degree[static_cast<std::size_t>(v)]);
    }
    const std::int64_t most = most_hubs(std::ssize(degrees), shape);
    for (least = 1;; ++least) {
      if (std::ranges::count_if(degrees, [&](std::int64_t d) { return d >= least; }) <= most) break;
    }
  }
  bool is_hub(std::int64_t v) const {
    return searched[static_cast<std::size_t>(v)] && degree[static_cast<std::size_t>(v)] >= least;
  }
  std::vector<std::int64_t> first_hubs_of(std::int64_t v) const {
    std::vector<std::int64_t> hubs;
    for (const std::int64_t neighbour : neighbours[static_cast<std::size_t>(v)]) {
      if (is_hub(neighbour)) hubs.push_back(neighbour);
    }
    std::ranges::stable_sort(hubs, [&](std::int64_t a, std::int64_t b) {
      return degree[static_cast<std::size_t>(a)] > degree[static_cast<std::size_t>(b)];
    });
    if (hubs.size() > num_kept_hubs) hubs.resize(num_kept_hubs);
    return hubs;
  }
  static std::size_t index(GlobalVertex v) { return static_cast<std::size_t>(raw(v)); }

  std::vector<std::set<std::int64_t>> neighbours;
  std::vector<std::int64_t> degree;
  std::vector<bool> searched;
  std::int64_t least = 1;
};

void compare(const SampleGraph& sample, const NumberingOptions& options, GridShape shape) {
  const Communicator& world = test::world();
  const Grid grid = Grid::arrange(world, shape);
  PhaseObserver nobody;
  const Graph graph = construct_graph(test::share_of(sample, world.rank(), world.size()), world, grid, nobody,
                                      {.numbering = options, .hubs = true});
  const Twin twin(sample, options, shape);
  const Hubs& hubs = graph.hubs;
  const std::string where = sample.name + " on " + shape.text();
  std::vector<std::int64_t> expected;
  for (std::int64_t v = 0; v < sample.num_vertices; ++v) {
    if (shape.cols > 1 && twin.is_hub(v)) expected.push_back(v);
  }
  ASSERT_EQ(hubs.count, std::ssize(expected)) << where;
  if (hubs.empty()) return;
  std::vector<std::int64_t> named;
  std::ranges::copy_if(hubs.original, std::back_inserter(named), [](std::int64_t v) { return v >= 0; });
  std::ranges::sort(named);
  EXPECT_EQ(named, expected) << where;
  std::uint32_t hub = hubs.offset[static_cast<std::size_t>(world.rank())];
  for (std::uint32_t t = 0; t < graph.numbering.searched(); ++t) {
    const std::int64_t v = raw(graph.layout.blocks.to_global(world.rank(), graph.numbering.original[t]));
    EXPECT_EQ(test_bit(hubs.own.span(), t), twin.is_hub(v)) << where << ", vertex " << v;
    if (twin.is_hub(v)) {
      EXPECT_EQ(hubs.original[hub++], v) << where;
    }
    std::vector<std::int64_t> kept;
    for (const auto& place : hubs.kept) {
      if (place[t] != hubs.missing()) kept.push_back(hubs.original[place[t]]);
    }
    EXPECT_EQ(kept, twin.first_hubs_of(v)) << where << ", vertex " << v;
    EXPECT_EQ(test_bit(hubs.has_kept.span(), t), !kept.empty()) << where;
  }
}

TEST(Hubs, AreThoseOfHighestDegreeAndKeptByOwners) {
  std::vector<SampleGraph> graphs = test::odd_graphs();
  graphs.push_back(test::kronecker_graph(9, 16));
  graphs.push_back(test::random_multigraph(3, 1013, 9000, 5));
  for (const SampleGraph& graph : graphs) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      compare(graph, {}, shape);
    }
  }
  const SampleGraph plain = test::kronecker_graph(8, 16);
  for (const GridShape shape : test::shapes_of(test::world().size())) {
    compare(plain, {.relabel = false, .leaves_out = false}, shape);
  }
}

/// Degrees far apart: the search for the least degree of a hub takes several rounds.
TEST(Hubs, AreFoundWhereDegreesAreFarApart) {
  SampleGraph graph{"copies of edges", 400, {}};
  for (std::int64_t v = 0; v + 1 < 400; ++v) {
    const std::int64_t copies = v % 40 == 0 ? 9000 - v : 1 + v % 7;
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      graph.edges.push_back({GlobalVertex{v}, GlobalVertex{v + 1}});
    }
  }
  for (const GridShape shape : test::shapes_of(test::world().size())) compare(graph, {}, shape);
}

/// Enough targets for several rounds of hub arcs, on few ranks.
TEST(Hubs, ComeInSeveralRounds) {
  const std::int64_t columns = test::world().size();
  if (columns == 1) return;
  const SampleGraph graph = test::random_multigraph(9, 300000, 900000, 6);
  compare(graph, {}, {1, static_cast<int>(columns)});
}

TEST(Hubs, AreBoundedByWhatTheyReplace) {
  EXPECT_EQ(most_hubs(1000, {4, 1}), 0);
  EXPECT_EQ(most_hubs(1000, {1, 2}), 150);
  EXPECT_EQ(most_hubs(1000, {2, 2}), 100);
  EXPECT_EQ(most_hubs(1000, {1, 40}), 100) << "four of its own vertices";
  EXPECT_EQ(most_hubs(3, {2, 2}), 0) << "fewer vertices than would make one";
  EXPECT_LE(most_hubs(769'658'139'444, {316, 316}), std::int64_t{1} << 25) << "scale 42 on 100,000 ranks";
}

}  // namespace
}  // namespace isobath
