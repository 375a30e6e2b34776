// SPDX-License-Identifier: Apache-2.0
#include "graph/numbering.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/bitmap.hpp"

namespace isobath {
namespace {

Endpoint leaf_of(std::int64_t neighbour, std::uint64_t copies) {
  Endpoint endpoint;
  for (std::uint64_t k = 0; k < copies; ++k) EXPECT_TRUE(endpoint.meet(neighbour));
  return endpoint;
}

Endpoint of_degree(std::uint64_t degree) {
  Endpoint endpoint;
  for (std::uint64_t k = 0; k < degree; ++k) EXPECT_TRUE(endpoint.meet(static_cast<std::int64_t>(k % 2)));
  return endpoint;
}

/// One vertex of each kind by choice: 0 isolated, 1 leaf, 2 .. 7 the degree classes from the smallest to the
/// hubs.
Endpoint endpoint_of_kind(std::uint64_t kind, std::uint64_t draw) {
  constexpr std::uint32_t least[] = {2, 4, 16, 64, 256, 1024};
  constexpr std::uint32_t most[] = {3, 15, 63, 255, 1023, 1040};
  if (kind == 0) return {};
  if (kind == 1)
    return leaf_of(static_cast<std::int64_t>(draw >> 21), 1 + draw % 30);  // a leaf may have duplicates
  const std::uint32_t from = least[kind - 2];
  return of_degree(from + draw % (most[kind - 2] - from + 1));
}

Endpoints random_endpoints(std::uint64_t seed, std::size_t n, const std::vector<std::uint64_t>& kinds) {
  std::mt19937_64 draw(seed);
  Endpoints endpoints;
  endpoints.of = LargeArray<Endpoint>(n);
  for (std::size_t v = 0; v < n; ++v) {
    const std::uint64_t kind = kinds[draw() % kinds.size()];
    endpoints.of[v] = endpoint_of_kind(kind, draw());
  }
  return endpoints;
}

std::size_t degree_class(std::uint64_t count) {
  std::size_t c = 0;
  while (count < class_lower_bound[c]) ++c;
  return c;
}

/// Originals of one class in working order, by the plain definition: stable, hubs by descending degree.
std::vector<std::uint32_t> members(const Endpoints& endpoints, std::size_t wanted) {
  std::vector<std::uint32_t> originals;
  for (std::uint32_t v = 0; v < endpoints.of.size(); ++v) {
    const Endpoint& endpoint = endpoints.of[v];
    if (endpoint.is_isolated() || endpoint.is_leaf() || degree_class(endpoint.count()) != wanted) continue;
    originals.push_back(v);
  }
  if (wanted == 0) {
    std::ranges::stable_sort(originals, [&](std::uint32_t a, std::uint32_t b) {
      return endpoints.of[a].count() > endpoints.of[b].count();
    });
  }
  return originals;
}

void expect_numbered_by_definition(const Endpoints& endpoints, const Numbering& numbering) {
  const std::size_t n = endpoints.of.size();
  ASSERT_EQ(numbering.num_originals, static_cast<std::int64_t>(n));
  std::uint32_t working = 0;
  for (std::size_t c = 0; c < num_classes; ++c) {
    ASSERT_EQ(numbering.class_start[c], working);
    for (const std::uint32_t original : members(endpoints, c)) {
      ASSERT_EQ(numbering.original[working], original) << "class " << c;
      ASSERT_EQ(numbering.code[original], working);
      ASSERT_EQ(numbering.degree[working], endpoints.of[original].count());
      ++working;
    }
  }
  ASSERT_EQ(numbering.searched(), working);
  ASSERT_EQ(numbering.num_heavy(), members(endpoints, 0).size());
  ASSERT_EQ(numbering.degree.size(), padded_bits(working));
  EXPECT_TRUE(std::all_of(numbering.degree.begin() + working, numbering.degree.end(),
                          [](std::uint32_t d) { return d == 0; }));
  std::uint32_t leaf = 0;
  std::int64_t isolated = 0;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (endpoints.of[v].is_isolated()) {
      EXPECT_EQ(numbering.code[v], Numbering::isolated);
      ++isolated;
    } else if (endpoints.of[v].is_leaf()) {
      EXPECT_EQ(numbering.code[v], Numbering::leaf);
      ASSERT_EQ(numbering.leaf_original[leaf], v);
      ASSERT_EQ(numbering.leaf_index(v), leaf);
      ++leaf;
    }
  }
  EXPECT_EQ(numbering.leaves(), leaf);
  EXPECT_EQ(numbering.isolated_vertices(), isolated);
}

/// Merging the streams by their masks gives back every original that is no hub, block by block.
void expect_streams_merge_to_originals(const Numbering& numbering) {
  const std::int64_t n = numbering.num_originals;
  std::vector<char> covered(static_cast<std::size_t>(n), 0);
  std::array<std::uint32_t, num_streams> next{};
  for (std::int64_t v = 0; v < n; v += mask_vertices) {
    for (std::size_t s = 0; s < num_streams; ++s) {
      if (v % emit_block == 0) {
        ASSERT_EQ(numbering.first[static_cast<std::size_t>(v / emit_block) * num_streams + s], next[s]);
      }
      const std::uint32_t mask =
          numbering.mask[static_cast<std::size_t>(v / mask_vertices) * num_streams + s];
      for (std::uint32_t bits = mask; bits != 0; bits &= bits - 1) {
        const std::int64_t original = v + std::countr_zero(bits);
        ASSERT_LT(original, n);
        const std::uint32_t member = next[s]++;
        const std::uint32_t expected = s == leaf_stream
                                           ? numbering.leaf_original[member]
                                           : numbering.original[numbering.class_start[s + 1] + member];
        ASSERT_EQ(expected, original) << "stream " << s;
        ASSERT_EQ(covered[static_cast<std::size_t>(original)]++, 0);
      }
    }
  }
  for (std::size_t s = 0; s + 1 < num_streams; ++s) {
    EXPECT_EQ(next[s], numbering.class_start[s + 2] - numbering.class_start[s + 1]);
  }
  EXPECT_EQ(next[leaf_stream], numbering.leaves());
  for (std::int64_t v = 0; v < n; ++v) {
    const std::uint32_t code = numbering.code[static_cast<std::size_t>(v)];
    const bool in_a_stream =
        code != Numbering::isolated && (code == Numbering::leaf || code >= numbering.num_heavy());
    ASSERT_EQ(covered[static_cast<std::size_t>(v)] != 0, in_a_stream) << v;
  }
}

TEST(Numbering, IsTheStableSortByClassAndItsMasksLeadBack) {
  std::uint64_t seed = 1;
  for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 511U, 2047U, 2048U, 2049U, 4096U, 10007U}) {
    for (const std::vector<std::uint64_t>& kinds : std::vector<std::vector<std::uint64_t>>{
             {0, 1, 2, 3, 4, 5, 6, 7}, {0}, {1}, {7}, {2}, {0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 7}, {6, 7}}) {
      const Endpoints endpoints = random_endpoints(seed++, n, kinds);
      const Numbering numbering = number_vertices(endpoints);
      ASSERT_NO_FATAL_FAILURE(expect_numbered_by_definition(endpoints, numbering)) << n;
      ASSERT_NO_FATAL_FAILURE(expect_streams_merge_to_originals(numbering)) << n;
    }
  }
}

TEST(Numbering, DrawsTheBordersOfTheClassesAtTheirLowerBounds) {
  Endpoints endpoints;
  endpoints.of = LargeArray<Endpoint>(2 * num_classes);
  for (std::size_t c = 0; c < num_classes; ++c) {
    endpoints.of[2 * c] = of_degree(std::max(2U, class_lower_bound[c]));
    endpoints.of[2 * c + 1] = of_degree(c == 0 ? 5000 : class_lower_bound[c - 1] - 1);
  }
  const Numbering numbering = number_vertices(endpoints);
  for (std::size_t c = 0; c <= num_classes; ++c) EXPECT_EQ(numbering.class_start[c], 2 * c);
}

}  // namespace
}  // namespace isobath
