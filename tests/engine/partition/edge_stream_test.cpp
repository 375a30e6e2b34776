// SPDX-License-Identifier: Apache-2.0
#include "partition/edge_stream.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

std::vector<Edge> numbered_edges(std::int64_t count) {
  std::vector<Edge> edges;
  for (std::int64_t k = 0; k < count; ++k) edges.push_back({GlobalVertex{k}, GlobalVertex{3 * k + 1}});
  return edges;
}

TEST(EdgeShare, DealsContiguousRangesThatCoverAllEdges) {
  for (std::int64_t edges = 0; edges <= 60; ++edges) {
    for (int ranks = 1; ranks <= 20; ++ranks) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto [first, end] = edge_share(edges, rank, ranks);
        ASSERT_EQ(first, next);
        ASSERT_GE(end, first);
        ASSERT_LE(end - first, edges / ranks + 1);
        next = end;
      }
      ASSERT_EQ(next, edges);
    }
  }
}

TEST(EdgeShare, HoldsAtTheLargestScales) {
  const std::int64_t edges = std::int64_t{16} << 40;
  EXPECT_EQ(edge_share(edges, 0, 100000).first, 0);
  EXPECT_EQ(edge_share(edges, 99999, 100000).second, edges);
  EXPECT_EQ(edge_share(edges, 41, 100000).second, edge_share(edges, 42, 100000).first);
}

TEST(SpanEdgeStream, ReadsAnyRange) {
  const std::vector<Edge> edges = numbered_edges(50);
  const SpanEdgeStream stream(200, edges);
  EXPECT_EQ(stream.size(), 50);
  EXPECT_EQ(stream.num_vertices(), 200);
  for (std::int64_t first = 0; first <= 50; first += 7) {
    std::vector<Edge> read(static_cast<std::size_t>(50 - first));
    stream.read(first, read);
    EXPECT_EQ(read, std::vector<Edge>(edges.begin() + first, edges.end()));
  }
}

TEST(ForEachBatch, VisitsEveryEdgeOnceInOrder) {
  const std::vector<Edge> edges = numbered_edges(3000);
  const SpanEdgeStream stream(10000, edges);
  for (const auto& [first, end] :
       {std::pair{0, 3000}, {0, 0}, {5, 6}, {1, 1025}, {1000, 2049}, {2999, 3000}}) {
    std::vector<Edge> visited;
    for_each_batch(stream, first, end, [&](std::span<const Edge> batch) {
      EXPECT_FALSE(batch.empty());
      visited.insert(visited.end(), batch.begin(), batch.end());
    });
    EXPECT_EQ(visited, std::vector<Edge>(edges.begin() + first, edges.begin() + end));
  }
}

}  // namespace
}  // namespace isobath
