// SPDX-License-Identifier: Apache-2.0
// The frontier in both its forms, and what it remembers.
#include "bfs/hybrid/frontier.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"

namespace isobath {
namespace {

/// As far as a frontier looks at a graph: `searched` vertices on one rank, vertex v of v % 7 arcs.
Graph graph_of(std::uint32_t searched, std::uint32_t heavy) {
  Graph graph;
  graph.layout = GridLayout::make({1, 1}, 0, BlockPartition(searched, 1), {searched});
  graph.numbering.class_start.fill(searched);
  graph.numbering.class_start[0] = 0;
  graph.numbering.class_start[1] = heavy;
  graph.numbering.degree = LargeArray<std::uint32_t>(padded_bits(searched));
  for (std::uint32_t v = 0; v < searched; ++v) graph.numbering.degree[v] = v % 7;
  return graph;
}

/// A level that finds these and leaves bitmaps.
void find_as_bitmaps(Frontier& frontier, const std::vector<std::uint32_t>& found) {
  std::ranges::copy(frontier.visited(), frontier.visited_after().begin());
  for (const std::uint32_t v : found) set_bit(frontier.visited_after(), v);
  frontier.advance();
}

/// A level that finds these and leaves a list.
void find_as_list(Frontier& frontier, const std::vector<std::uint32_t>& found) {
  std::size_t size = 0;
  for (const std::uint32_t v : found) {
    EXPECT_TRUE(frontier.mark(v));
    EXPECT_FALSE(frontier.mark(v));
    frontier.list_room()[size++] = v;
  }
  frontier.set_list(size);
}

std::vector<std::uint32_t> list_of(const Frontier& frontier) {
  return {frontier.list().begin(), frontier.list().end()};
}

std::int64_t arcs_of(const std::vector<std::uint32_t>& vertices) {
  std::int64_t arcs = 0;
  for (const std::uint32_t v : vertices) arcs += v % 7;
  return arcs;
}

TEST(Frontier, IsTheSameAsListAndAsBitmaps) {
  std::mt19937_64 draw(3);
  const int threads = max_threads();
  for (const int team : {1, 2, 3}) {
    set_num_threads(team);
    for (const std::uint32_t searched : {1U, 64U, 1000U, 300000U}) {
      const Graph graph = graph_of(searched, searched / 2);
      for (const unsigned share : {0U, 1U, 8U, 15U, 16U}) {  // sixteenths that the second level finds
        Frontier frontier(graph);
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> second;
        for (std::uint32_t v = 0; v < searched; ++v) {
          if (draw() % 4 == 0) {
            first.push_back(v);
          } else if (draw() % 16 < share) {
            second.push_back(v);
          }
        }
        find_as_bitmaps(frontier, first);
        find_as_bitmaps(frontier, second);
        EXPECT_FALSE(frontier.is_list());
        EXPECT_EQ(frontier.count(), std::ssize(second));
        EXPECT_EQ(frontier.arcs(), arcs_of(second));
        std::vector<std::uint32_t> heavy = second;
        std::erase_if(heavy, [&](std::uint32_t v) { return v >= words_for(searched / 2) * word_bits; });
        EXPECT_EQ(frontier.heavy_arcs(), arcs_of(heavy));
        frontier.make_list();
        EXPECT_TRUE(frontier.is_list());
        EXPECT_EQ(list_of(frontier), second) << searched << " vertices, " << team << " threads";
        EXPECT_EQ(frontier.arcs(), arcs_of(second));
      }
    }
  }
  set_num_threads(threads);
}

TEST(Frontier, RemembersAllThatWasReachedWhileItIsListed) {
  const Graph graph = graph_of(20000, 100);
  Frontier frontier(graph);
  std::vector<std::uint32_t> expected = {17};
  const auto expect_remembered = [&] {
    const auto reached = frontier.all_reached_if_few();
    ASSERT_TRUE(reached.has_value());
    EXPECT_EQ(std::vector<std::uint32_t>(reached->begin(), reached->end()), expected);
  };
  frontier.begin_at(17);
  EXPECT_EQ(list_of(frontier), expected);
  expect_remembered();
  find_as_list(frontier, {90, 5});
  expected = {17, 90, 5};
  expect_remembered();
  find_as_bitmaps(frontier, {1000, 200});
  EXPECT_FALSE(frontier.all_reached_if_few().has_value()) << "not listed yet";
  frontier.make_list();
  expected.insert(expected.end(), {200, 1000});
  expect_remembered();

  find_as_bitmaps(frontier, {3});
  find_as_bitmaps(frontier, {4});  // the level before was never listed
  frontier.make_list();
  EXPECT_FALSE(frontier.all_reached_if_few().has_value());

  frontier.reset();
  EXPECT_TRUE(frontier.list().empty());
  EXPECT_EQ(std::ranges::count(frontier.visited(), Word{0}), std::ssize(frontier.visited()));
  std::vector<std::uint32_t> many(4096);
  std::iota(many.begin(), many.end(), 0U);
  expected = many;
  find_as_list(frontier, many);
  expect_remembered();
  find_as_list(frontier, {5000});
  EXPECT_FALSE(frontier.all_reached_if_few().has_value()) << "they are too many";
}

}  // namespace
}  // namespace isobath
