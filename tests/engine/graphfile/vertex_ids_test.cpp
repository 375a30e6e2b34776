// SPDX-License-Identifier: Apache-2.0
#include "graphfile/vertex_ids.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

TEST(VertexIds, NumberInTheOrderOfIdsAsASetDoes) {
  std::mt19937_64 random(7);
  ListedEdges listed;
  std::set<std::int64_t> expected;
  for (int piece = 0; piece < 5; ++piece) {
    std::vector<Edge> edges;
    for (int i = 0; i < 1000; ++i) {
      const auto u = static_cast<std::int64_t>(random() >> (1 + random() % 50));
      const auto v = static_cast<std::int64_t>(random() >> (1 + random() % 50));
      edges.push_back({GlobalVertex{u}, GlobalVertex{v}});
      expected.insert({u, v});
    }
    listed.append(EdgePiece(edges, {}));
  }
  const VertexIds ids(distinct_ids(listed));
  ASSERT_EQ(std::vector(expected.begin(), expected.end()), std::vector(ids.ids().begin(), ids.ids().end()));
  std::int64_t number = 0;
  for (const std::int64_t id : expected) EXPECT_EQ(ids.number_of(id), number++);
  EXPECT_EQ(ids.number_of(-1), -1);
}

TEST(VertexIds, OfSeveralRanksAreMerged) {
  EXPECT_EQ(merged_ids({1, 5, 9, 2, 5, 11}, std::vector<std::int64_t>{3, 0, 2, 1}),
            (std::vector<std::int64_t>{1, 2, 5, 9, 11}));
  EXPECT_TRUE(merged_ids({}, std::vector<std::int64_t>{0, 0}).empty());
}

TEST(VertexIds, AreWantedWhereNumbersAreSparse) {
  EXPECT_FALSE(ids_are_sparse({.edges = 1, .highest_id = 65535}, 65536));
  EXPECT_FALSE(ids_are_sparse({.edges = 1000000, .highest_id = 4000000}, 4000001));
  EXPECT_TRUE(ids_are_sparse({.edges = 1, .highest_id = 1000000}, 1000001));
  EXPECT_TRUE(ids_are_sparse({.edges = std::int64_t{1} << 40, .highest_id = 0}, (std::int64_t{1} << 32) + 1));
}

}  // namespace
}  // namespace isobath
