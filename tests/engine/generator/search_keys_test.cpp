// SPDX-License-Identifier: Apache-2.0
#include "generator/search_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "reference/kronecker.hpp"

namespace isobath {
namespace {

/// The reference program's loop, word for word, but for what it does after giving up.
std::vector<GlobalVertex> keys_of_the_reference(int scale, int wanted) {
  const reference::Kronecker graph{.scale = scale};
  const std::vector<Edge> edges = reference::kronecker(graph);
  const std::int64_t num_vertices = std::int64_t{1} << scale;
  std::vector<GlobalVertex> keys;
  std::int64_t position = 0;
  while (std::ssize(keys) < wanted) {
    const GlobalVertex candidate = reference::search_key_candidate(graph, position);
    position += 2;
    if (position > 2 * num_vertices) break;
    const bool is_duplicate = std::ranges::find(keys, candidate) != keys.end();
    const bool has_neighbour = std::ranges::any_of(edges, [candidate](const Edge& edge) {
      return edge.u != edge.v && (edge.u == candidate || edge.v == candidate);
    });
    if (!is_duplicate && has_neighbour) keys.push_back(candidate);
  }
  return keys;
}

HasNeighbour answer_from(std::span<const Edge> edges) {
  return [edges](std::span<const GlobalVertex> vertices) {
    std::vector<char> answers;
    for (const GlobalVertex v : vertices) {
      const bool found = std::ranges::any_of(
          edges, [v](const Edge& edge) { return edge.u != edge.v && (edge.u == v || edge.v == v); });
      answers.push_back(found ? 1 : 0);
    }
    return answers;
  };
}

TEST(SearchKeys, AreThoseOfTheReferenceUntilItGivesUp) {
  for (int scale = 1; scale <= 9; ++scale) {
    const std::vector<Edge> edges = reference::kronecker({.scale = scale});
    const std::vector<GlobalVertex> expected = keys_of_the_reference(scale, 64);
    EXPECT_EQ(sample_search_keys({.scale = scale}, 64, answer_from(edges)), expected) << scale;
    EXPECT_EQ(expected.size() < 64, scale < 7) << scale;
    EXPECT_FALSE(expected.empty()) << scale;
  }
}

TEST(SearchKeys, OfAShorterListAreTheFirstOfALongerOne) {
  const std::vector<Edge> edges = reference::kronecker({.scale = 8});
  const std::vector<GlobalVertex> all = sample_search_keys({.scale = 8}, 100, answer_from(edges));
  for (const int wanted : {0, 1, 5, 64, 99}) {
    const auto some = sample_search_keys({.scale = 8}, wanted, answer_from(edges));
    const std::size_t count = std::min(all.size(), static_cast<std::size_t>(wanted));
    EXPECT_EQ(some, std::vector<GlobalVertex>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
  }
}

TEST(SearchKeys, AreNoneWhereEveryVertexIsIsolated) {
  const auto none = [](std::span<const GlobalVertex> vertices) {
    return std::vector<char>(vertices.size(), 0);
  };
  EXPECT_TRUE(sample_search_keys({.scale = 12}, 64, none).empty());
}

TEST(SearchKeys, AreAskedAboutOnce) {
  std::vector<GlobalVertex> asked;
  const auto never_twice = [&asked](std::span<const GlobalVertex> vertices) {
    asked.insert(asked.end(), vertices.begin(), vertices.end());
    return std::vector<char>(vertices.size(), 0);
  };
  sample_search_keys({.scale = 10}, 64, never_twice);
  std::ranges::sort(asked);
  EXPECT_EQ(std::ranges::adjacent_find(asked), asked.end());
}

TEST(SearchKeyCandidates, AreThoseOfTheTwinAtEveryScale) {
  for (const int scale : {1, 7, 20, 31, 32, 40, 43}) {
    const SearchKeyCandidates candidates({.scale = scale});
    for (std::int64_t i = 0; i < std::min<std::int64_t>(candidates.size(), 200); ++i) {
      ASSERT_EQ(candidates[i], reference::search_key_candidate({.scale = scale}, 2 * i)) << scale << " " << i;
    }
  }
}

}  // namespace
}  // namespace isobath
