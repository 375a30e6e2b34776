// SPDX-License-Identifier: Apache-2.0
#include "graph/rounds.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "mpi_main.hpp"
#include "partition/edge_stream.hpp"

namespace isobath::test {
namespace {

/// Of rank r: 13 r + 5 edges, all of which say whose they are.
std::vector<Edge> edges_of(int rank) {
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < 13 * rank + 5; ++i)
    edges.push_back({GlobalVertex{rank}, GlobalVertex{(i * 7919 + rank) % 1000}});
  return edges;
}

std::vector<Edge> sorted(std::vector<Edge> edges) {
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return std::tie(a.u, a.v) < std::tie(b.u, b.v); });
  return edges;
}

/// Every edge goes to the rank that its end says, and once more to rank 0.
TEST(Rounds, BringEveryMessageHoweverLongTheyAre) {
  const int ranks = world().size();
  const auto rank_of = [&](const Edge& edge) { return static_cast<int>(raw(edge.v) % ranks); };
  std::vector<Edge> expected;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Edge& edge : edges_of(rank)) {
      if (rank_of(edge) == world().rank()) expected.push_back(edge);
      if (world().rank() == 0) expected.push_back(edge);
    }
  }
  const std::vector<Edge> mine = edges_of(world().rank());
  const SpanEdgeStream stream(1000, mine);
  for (const std::int64_t edges_per_round : {1, 4, 30, 1 << 18}) {
    std::vector<Edge> arrived;
    int parts = 0;
    exchange_rounds<Edge>(
        stream, world(),
        [&](const Edge& edge, auto&& send) {
          send(rank_of(edge), edge);
          send(0, edge);
        },
        [&](std::span<const Edge> part) {
          arrived.insert(arrived.end(), part.begin(), part.end());
          ++parts;
        },
        edges_per_round);
    EXPECT_EQ(sorted(arrived), sorted(expected)) << edges_per_round;
    // As many rounds as the last rank's edges take; what stayed and what came.
    EXPECT_EQ(parts, 2 * ((13 * (ranks - 1) + 5 + edges_per_round - 1) / edges_per_round));
  }
}

TEST(Rounds, GrowWithTheRanksWithinBounds) {
  constexpr std::int64_t fewest = std::int64_t{1} << 18;
  for (const int ranks : {1, 16, 1024, 8192}) {
    for (const std::size_t bytes : {8U, 12U, 16U, 40U, 256U}) EXPECT_EQ(edges_of_round(ranks, bytes), fewest);
  }
  EXPECT_EQ(edges_of_round(16384, 16), std::int64_t{1} << 19);
  for (const std::size_t bytes : {8U, 12U, 16U, 40U}) {
    const std::int64_t edges = edges_of_round(99856, bytes);
    EXPECT_GT(edges, fewest) << bytes;
    EXPECT_LE(edges, 32 * 99856) << bytes;
    EXPECT_LE(edges * static_cast<std::int64_t>(bytes), std::int64_t{1} << 24) << bytes;
  }
  EXPECT_EQ(edges_of_round(99856, 256), fewest);
}

}  // namespace
}  // namespace isobath::test
