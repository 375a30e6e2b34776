// SPDX-License-Identifier: Apache-2.0
#include "partition/block_partition.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Deals the vertices one after the other and compares every function with what it counts.
void agrees_with_dealing(std::int64_t n, int p) {
  const BlockPartition partition(n, p);
  std::int64_t next = 0;
  std::int64_t smallest = n;
  std::int64_t largest = 0;
  for (int block = 0; block < p; ++block) {
    ASSERT_EQ(partition.first(block), next) << n << " in " << p;
    const std::int64_t size = partition.size(block);
    ASSERT_EQ(size, n / p + (block < n % p ? 1 : 0)) << n << " in " << p;
    for (std::int64_t local = 0; local < size; ++local) {
      const GlobalVertex v{next++};
      ASSERT_EQ(partition.block_of(v), block) << n << " in " << p << ", vertex " << raw(v);
      ASSERT_EQ(partition.to_local(v), local) << n << " in " << p << ", vertex " << raw(v);
      ASSERT_EQ(partition.to_global(block, local), v) << n << " in " << p << ", vertex " << raw(v);
    }
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  ASSERT_EQ(next, n) << "every vertex has one owner";
  ASSERT_LE(largest - smallest, 1);
  ASSERT_EQ(partition.max_size(), largest);
  ASSERT_EQ(partition.num_vertices(), n);
  ASSERT_EQ(partition.num_blocks(), p);
}

TEST(BlockPartition, AgreesWithDealingForManySizes) {
  for (std::int64_t n = 0; n <= 130; ++n) {
    for (int p = 1; p <= 40; ++p) agrees_with_dealing(n, p);
  }
  for (const std::int64_t n : {255, 256, 257, 1000, 4096, 65536, 65537}) {
    for (const int p : {1, 2, 3, 4, 6, 7, 12, 64, 100, 255, 256, 257}) agrees_with_dealing(n, p);
  }
}

TEST(BlockPartition, HoldsAtTheLargestScales) {
  for (const int scale : {31, 32, 33, 40, 48, 62}) {
    const std::int64_t n = std::int64_t{1} << scale;
    for (const int p : {1, 3, 6, 1000, 1 << 20}) {
      const BlockPartition partition(n, p);
      std::int64_t total = 0;
      for (const int block : {0, p / 2, p - 1}) {
        const std::int64_t size = partition.size(block);
        for (const std::int64_t local : {std::int64_t{0}, size / 2, size - 1}) {
          const GlobalVertex v = partition.to_global(block, local);
          EXPECT_EQ(partition.block_of(v), block) << scale << ", " << p;
          EXPECT_EQ(partition.to_local(v), local) << scale << ", " << p;
        }
      }
      for (int block = 0; block < p; ++block) total += partition.size(block);
      EXPECT_EQ(total, n);
      EXPECT_EQ(partition.block_of(GlobalVertex{n - 1}), p - 1);
    }
  }
}

}  // namespace
}  // namespace isobath
