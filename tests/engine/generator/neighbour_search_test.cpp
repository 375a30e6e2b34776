// SPDX-License-Identifier: Apache-2.0
#include "generator/neighbour_search.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "reference/kronecker.hpp"

namespace isobath {
namespace {

/// By a look at every edge for every vertex.
std::vector<char> looked_up(const std::vector<Edge>& edges, const std::vector<GlobalVertex>& vertices) {
  std::vector<char> answers;
  for (const GlobalVertex v : vertices) {
    const bool has = std::ranges::any_of(
        edges, [v](const Edge& edge) { return edge.u != edge.v && (edge.u == v || edge.v == v); });
    answers.push_back(has ? 1 : 0);
  }
  return answers;
}

std::vector<GlobalVertex> all_vertices_backwards(std::int64_t count) {
  std::vector<GlobalVertex> vertices;
  for (std::int64_t v = count - 1; v >= 0; --v) vertices.push_back(GlobalVertex{v});
  return vertices;
}

TEST(NeighbourSearch, AnswersForEveryVertexAsALookAtEveryEdge) {
  for (const int edgefactor : {1, 2, 16}) {
    for (int scale = 1; scale <= 9; ++scale) {
      const KroneckerParameters graph{.scale = scale, .edgefactor = edgefactor};
      const std::vector<Edge> edges = reference::kronecker({.scale = scale, .edgefactor = edgefactor});
      const std::vector<GlobalVertex> asked = all_vertices_backwards(graph.num_vertices());
      EXPECT_EQ(have_neighbours(KroneckerGenerator(graph), asked), looked_up(edges, asked))
          << scale << " " << edgefactor;
    }
  }
}

TEST(NeighbourSearch, GoesThroughAllEdgesForOneThatHasNone) {
  const KroneckerParameters graph{.scale = 12, .edgefactor = 4};  // more edges than one batch
  const std::vector<Edge> edges = reference::kronecker({.scale = 12, .edgefactor = 4});
  const std::vector<GlobalVertex> all = all_vertices_backwards(graph.num_vertices());
  const std::vector<char> expected = have_neighbours(KroneckerGenerator(graph), all);
  std::vector<GlobalVertex> lonely;
  std::vector<GlobalVertex> late;  // first met in the last edge of all: every edge before it is looked at
  for (std::size_t i = 0; i < all.size() && lonely.size() < 3; ++i) {
    if (expected[i] == 0) lonely.push_back(all[i]);
  }
  ASSERT_EQ(lonely.size(), 3U);
  EXPECT_EQ(looked_up(edges, lonely), std::vector<char>(3, 0));
  for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
    if (edge->u == edge->v) continue;
    late = {lonely[0], edge->u, lonely[1], edge->v, lonely[2]};
    break;
  }
  ASSERT_EQ(late.size(), 5U);
  EXPECT_EQ(have_neighbours(KroneckerGenerator(graph), late), (std::vector<char>{0, 1, 0, 1, 0}));
}

/// Vertices whose low 16 bits are those of another one are told apart.
TEST(NeighbourSearch, TellsVerticesOfTheSameLowBitsApart) {
  const KroneckerParameters graph{.scale = 17, .edgefactor = 1};
  const KroneckerGenerator generator(graph);
  std::vector<Edge> edges(static_cast<std::size_t>(graph.num_edges()));
  generator.edges(0, edges);
  std::vector<char> has(static_cast<std::size_t>(graph.num_vertices()), 0);
  for (const Edge& edge : edges) {
    if (edge.u == edge.v) continue;
    has[static_cast<std::size_t>(raw(edge.u))] = 1;
    has[static_cast<std::size_t>(raw(edge.v))] = 1;
  }
  constexpr std::int64_t half = 1 << 16;
  std::vector<GlobalVertex> asked;
  std::vector<char> expected;
  int different = 0;
  for (std::int64_t v = 0; v < 500; ++v) {
    for (const std::int64_t vertex : {v, v + half}) {
      asked.push_back(GlobalVertex{vertex});
      expected.push_back(has[static_cast<std::size_t>(vertex)]);
    }
    if (expected[expected.size() - 1] != expected[expected.size() - 2]) ++different;
  }
  EXPECT_GT(different, 50) << "the case that is to be tested is there";
  EXPECT_EQ(have_neighbours(generator, asked), expected);
}

TEST(NeighbourSearch, AsksNothingWhereNobodyIsAskedFor) {
  EXPECT_TRUE(have_neighbours(KroneckerGenerator({.scale = 5}), {}).empty());
}

}  // namespace
}  // namespace isobath
