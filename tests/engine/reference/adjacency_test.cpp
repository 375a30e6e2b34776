// SPDX-License-Identifier: Apache-2.0
#include "reference/adjacency.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "hand_drawn.hpp"

namespace isobath::reference {
namespace {

TEST(ReferenceAdjacency, DropsDuplicatesAndSelfLoopsButCountsThem) {
  const Adjacency graph = test::house_with_a_pair_beside();

  EXPECT_EQ(graph.neighbours[0], test::vertices({1, 2}));
  EXPECT_EQ(graph.neighbours[2], test::vertices({0, 3, 4}));
  EXPECT_EQ(graph.neighbours[7], test::vertices({}));
  EXPECT_EQ(graph.endpoints, (std::vector<std::int64_t>{3, 4, 3, 3, 3, 1, 1, 0}));
  EXPECT_EQ(graph.self_loops, (std::vector<std::int64_t>{0, 0, 0, 1, 0, 0, 0, 2}));
  EXPECT_EQ(graph.num_distinct_edges(), 8);
  EXPECT_EQ(graph.num_self_loops(), 3);
}

TEST(ReferenceAdjacency, RefusesVerticesOutOfRange) {
  const std::vector<Edge> edges = {{GlobalVertex{0}, GlobalVertex{4}}};
  EXPECT_THROW(adjacency(4, edges), InternalError);
}

TEST(ReferenceComponents, CountEdgesOnceAndLoopsApart) {
  const Components found = components(test::house_with_a_pair_beside());

  EXPECT_EQ(found.component_of, (std::vector<std::int64_t>{0, 0, 0, 0, 0, 1, 1, 2}));
  EXPECT_EQ(found.vertices, (std::vector<std::int64_t>{5, 2, 1}));
  EXPECT_EQ(found.edges, (std::vector<std::int64_t>{8, 1, 0}));
  EXPECT_EQ(found.self_loops, (std::vector<std::int64_t>{1, 0, 2}));
}

}  // namespace
}  // namespace isobath::reference
