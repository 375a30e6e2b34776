// SPDX-License-Identifier: Apache-2.0
#include "graph/heavy_sources.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/rows.hpp"

namespace isobath {
namespace {

using Counts = std::vector<std::uint32_t>;

const std::vector<Counts> many_counts = {{0},    {5},          {0, 0, 0},    {3, 0, 0, 0},
                                         {0, 7}, {2, 3, 1, 3}, {1, 40, 0, 2}};

/// By sorting the keys that HeavyFirst gives them, where it knows how many there are.
TEST(ForEachHeavy, GoesInTheOrderOfRows) {
  for (const Counts& counts : many_counts) {
    Counts offset = {0};
    for (std::size_t piece = 0; piece < counts.size(); ++piece) offset.push_back(offset.back() + 512);
    const HeavyFirst order(offset, counts);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t piece = 0; piece < counts.size(); ++piece) {
      for (std::uint32_t local = 0; local < counts[piece]; ++local) expected.push_back(offset[piece] + local);
    }
    std::ranges::sort(expected, {}, [&](std::uint32_t index) { return order.key_of(index); });
    std::vector<std::uint32_t> found;
    for_each_heavy(counts,
                   [&](std::uint32_t piece, std::uint32_t local) { found.push_back(offset[piece] + local); });
    EXPECT_EQ(found, expected);
  }
}

/// However unevenly they are spread: places have no gaps, and need no memory where nobody is.
TEST(HeavySources, HavePlacesWithoutGaps) {
  for (const Counts& counts : many_counts) {
    std::vector<std::int64_t> originals;
    std::vector<std::uint32_t> heavy;
    std::vector<std::vector<std::uint32_t>> source(counts.size());
    std::uint32_t first = 0;
    for (std::size_t piece = 0; piece < counts.size(); ++piece) {
      originals.push_back(static_cast<std::int64_t>(3 * counts[piece] + piece % 2));
      for (std::uint32_t local = 0; local < counts[piece]; ++local) {
        heavy.push_back(3 * (counts[piece] - 1 - local));  // by number, not by original
        source[piece].push_back(first + heavy.back());
      }
      first += static_cast<std::uint32_t>(originals.back());
    }
    const HeavySources sources(originals, counts, heavy);
    EXPECT_EQ(sources.counts(), counts);
    ASSERT_EQ(sources.count(), heavy.size());
    if (heavy.empty()) continue;
    std::vector<std::uint32_t> expected(first, sources.count());
    std::uint32_t place = 0;
    for_each_heavy(
        counts, [&](std::uint32_t piece, std::uint32_t local) { expected[source[piece][local]] = place++; });
    for (std::uint32_t s = 0; s < first; ++s) EXPECT_EQ(sources.place_of(s), expected[s]) << "source " << s;
  }
}

}  // namespace
}  // namespace isobath
