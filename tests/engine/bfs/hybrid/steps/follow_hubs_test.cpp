// SPDX-License-Identifier: Apache-2.0
// The followers of hubs in a top-down level, against the obvious loop.
#include "bfs/hybrid/steps/follow_hubs.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/threads.hpp"

namespace isobath {
namespace {

constexpr std::size_t own_words_here = 150;  // more than are looked at once, and no multiple of that
constexpr std::size_t own_vertices_here = own_words_here * word_bits;

/// Families of 1 to 300 vertices; none of the first hundred and the last fifty.
Families drawn_families(std::mt19937_64& draw, std::uint32_t num_hubs) {
  Families families;
  for (std::size_t v = 100; v < own_vertices_here - 50; v += 1 + draw() % 300) {
    families.begin.push_back(static_cast<std::uint32_t>(v));
    families.head.push_back(static_cast<std::uint32_t>(draw() % num_hubs));
  }
  families.begin.push_back(own_vertices_here - 50);
  return families;
}

std::vector<Word> drawn_bits(std::mt19937_64& draw, std::size_t size, unsigned sixteenths) {
  std::vector<Word> bits(words_for(size), 0);
  for (std::size_t bit = 0; bit < size; ++bit) {
    if (draw() % 16 < sixteenths) set_bit(bits, bit);
  }
  return bits;
}

TEST(FollowHubs, FindsTheUnvisitedFollowersOfVisitedHubs) {
  const int threads_before = max_threads();
  std::mt19937_64 draw(5);
  constexpr std::uint32_t num_hubs = 90;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    for (const unsigned share : {0U, 1U, 8U, 16U}) {
      const Families families = drawn_families(draw, num_hubs);
      const std::vector<Word> visited_hubs = drawn_bits(draw, num_hubs, share);
      const std::vector<Word> before = drawn_bits(draw, own_vertices_here, 4);
      std::vector<Word> visited = before;
      std::vector<Word> by_first = drawn_bits(draw, own_vertices_here, 1);
      std::vector<Word> proposed = drawn_bits(draw, own_vertices_here, 2);
      std::vector<Word> expected_by_first = by_first;
      std::vector<Word> expected_proposed = proposed;
      std::vector<Word> expected(own_words_here, 0);
      std::int64_t count = 0;
      for (std::size_t k = 0; k < families.size(); ++k) {
        for (std::uint32_t v = families.begin[k]; v < families.begin[k + 1]; ++v) {
          if (test_bit(before, v) || !test_bit(visited_hubs, families.head[k])) continue;
          ++count;
          for (auto* const bits : {&expected, &expected_by_first, &expected_proposed}) set_bit(*bits, v);
        }
      }
      std::vector<Word> found(own_words_here, 0x5555);
      EXPECT_EQ(follow_hubs_by_team({families, visited_hubs.data(), own_words_here, visited.data(),
                                     by_first.data(), proposed.data(), found.data()}),
                count);
      EXPECT_EQ(count > 0, share > 0);
      EXPECT_EQ(found, expected) << share << "/16 of the hubs";
      EXPECT_EQ(by_first, expected_by_first);
      EXPECT_EQ(proposed, expected_proposed);
      for (std::size_t w = 0; w < own_words_here; ++w) ASSERT_EQ(visited[w], before[w] | expected[w]);
    }
  }
  set_num_threads(threads_before);
}

}  // namespace
}  // namespace isobath
