// SPDX-License-Identifier: Apache-2.0
// Arcs where they are stored, against a walk over all edges.
#include "graph/deliver_arcs.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "base/threads.hpp"
#include "graph/arcs_of_ranges.hpp"
#include "graph/codes.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"

namespace isobath {
namespace {

using test::SampleGraph;

std::vector<SampleGraph> graphs_to_deliver() {
  SampleGraph loops = test::random_multigraph(4, 97, 900, 3);
  for (int v = 0; v < 97; v += 3) loops.edges.push_back({GlobalVertex{v}, GlobalVertex{v}});
  loops.edges.push_back({GlobalVertex{96}, GlobalVertex{96}});  // and once more
  loops.name = "with self-loops";
  return {loops, test::crowded_corner(603), test::kronecker_graph(8, 8), {"seven vertices, no edge", 7, {}}};
}

/// What this rank is to have: sources of each target, and the own vertices with a self-loop.
struct Expected {
  Expected(const SampleGraph& sample, GridShape shape, const BlockPartition& blocks, int rank) {
    const ArcRouter router(shape, blocks);
    for (int col = 0; col < shape.cols; ++col) {
      num_targets += blocks.size(shape.rank_at(shape.row_of(rank), col));
    }
    sources.resize(static_cast<std::size_t>(num_targets));
    for (const Edge& edge : sample.edges) {
      router.route_both(edge, [&](int to, const RoutedArc& arc) {
        if (to != rank) return;
        if (edge.u == edge.v) {
          self_loops_at.push_back(static_cast<std::uint32_t>(blocks.to_local(edge.u)));
        } else {
          sources[arc.target].push_back(arc.source);
        }
      });
    }
    for (auto& each : sources) std::ranges::sort(each);
    std::ranges::sort(self_loops_at);
  }
  std::int64_t num_targets = 0;
  std::vector<std::vector<std::uint64_t>> sources;
  std::vector<std::uint32_t> self_loops_at;
};

std::vector<std::vector<std::uint64_t>> sources_in(const DealtArcs& dealt, std::int64_t num_targets) {
  std::vector<std::vector<std::uint64_t>> sources(static_cast<std::size_t>(num_targets));
  test::for_each_arc(dealt,
                     [&](std::uint64_t target, std::uint64_t source) { sources[target].push_back(source); });
  for (auto& each : sources) std::ranges::sort(each);
  return sources;
}

/// Ranges that all threads deal into, and ranges that have one thread each; positions narrow, and wide ones
/// of four low bits.
TEST(DeliverArcs, BringsArcsAndSelfLoopsToWhereTheyAreStored) {
  const int before = max_threads();
  for (const SampleGraph& sample : graphs_to_deliver()) {
    for (const GridShape shape : test::shapes_of(test::world().size())) {
      const BlockPartition blocks(sample.num_vertices, test::world().size());
      const Expected expected(sample, shape, blocks, test::world().rank());
      const SpanEdgeStream edges = test::share_of(sample, test::world().rank(), test::world().size());
      for (const int threads : {1, 3}) {
        for (const std::size_t most_lines : {std::size_t{0}, std::size_t{2048}}) {
          set_num_threads(threads);
          const std::string where = sample.name + " on " + shape.text() + ", " + std::to_string(threads) +
                                    " threads, " + std::to_string(most_lines);
          for (const int low_bits : {0, 4}) {
            const PositionForm form(blocks, shape, low_bits);
            EXPECT_EQ(form.is_wide(), low_bits > 0 && shape.cols > 1 && sample.num_vertices > 7) << where;
            const OriginalArcs arcs = deliver_arcs(edges, test::world(), shape, blocks, form, most_lines);
            EXPECT_TRUE(sources_in(arcs.dealt(), expected.num_targets) == expected.sources) << where;
            EXPECT_TRUE(arcs.self_loops_at() == expected.self_loops_at) << where;
          }
        }
      }
    }
  }
  set_num_threads(before);
}

/// Positions beyond 2^32, which no graph here has: of few edges among very many vertices. Some lead to a
/// vertex whose position differs from that of a self-loop in the bits above 32 alone.
TEST(DeliverArcs, BringsArcsBetweenPositionsBeyond32Bits) {
  const int ranks = test::world().size();
  for (const GridShape shape : test::shapes_of(ranks)) {
    if (shape.cols == 1) continue;            // they are narrow
    constexpr std::int64_t own = 0xF0000000;  // vertices of a rank
    const BlockPartition blocks(own * ranks, ranks);
    SampleGraph sample{"few edges", own * ranks, {}};
    for (int block = 0; block < ranks; ++block) {
      for (std::int64_t v : {std::int64_t{0}, std::int64_t{5}, std::int64_t{0x0FFFFFFF}, own - 1}) {
        const std::int64_t u = own * block + v;
        sample.edges.push_back({GlobalVertex{u}, GlobalVertex{u}});
        for (std::int64_t apart : {std::int64_t{1}, std::int64_t{1} << 32, own, own * shape.rows}) {
          sample.edges.push_back({GlobalVertex{u}, GlobalVertex{(u + apart) % sample.num_vertices}});
        }
      }
    }
    const PositionForm form(blocks, shape, 32);
    ASSERT_TRUE(form.is_wide());
    const ArcRouter router(shape, blocks);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;  // target, source
    std::vector<std::uint32_t> self_loops_at;
    for (const Edge& edge : sample.edges) {
      router.route_both<WideArc>(edge, [&](int to, const WideArc& arc) {
        if (to != test::world().rank()) return;
        if (edge.u == edge.v) {
          self_loops_at.push_back(static_cast<std::uint32_t>(blocks.to_local(edge.u)));
        } else {
          expected.emplace_back(target_of(arc), source_of(arc));
        }
      });
    }
    const OriginalArcs arcs =
        deliver_arcs(test::share_of(sample, test::world().rank(), ranks), test::world(), shape, blocks, form);
    const DealtArcs& dealt = arcs.dealt();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    test::for_each_arc(
        dealt, [&](std::uint64_t target, std::uint64_t source) { found.emplace_back(target, source); });
    std::ranges::sort(expected);
    std::ranges::sort(found);
    std::ranges::sort(self_loops_at);
    EXPECT_TRUE(found == expected) << shape.text();
    EXPECT_TRUE(arcs.self_loops_at() == self_loops_at) << shape.text();
  }
}

}  // namespace
}  // namespace isobath
