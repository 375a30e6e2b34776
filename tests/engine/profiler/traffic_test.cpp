// SPDX-License-Identifier: Apache-2.0
#include "profiler/traffic.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace isobath::profiler {
namespace {

TEST(SizeBuckets, HoldSizesWhoseThreeHighestBitsAgree) {
  for (std::size_t bucket = 0; bucket < num_size_buckets; ++bucket) {
    const std::int64_t first = bucket_begin(bucket);
    EXPECT_EQ(size_bucket(first), bucket);
    if (first > 0) {
      EXPECT_EQ(size_bucket(first - 1), bucket - 1);
    }
  }
  EXPECT_EQ(size_bucket(8), size_bucket(9));
  EXPECT_EQ(size_bucket(-1), 0U);
  EXPECT_EQ(size_bucket(std::numeric_limits<std::int64_t>::max()), num_size_buckets - 1);
}

TEST(Traffic, AddsUpCallsAndKnowsWhetherArgumentsWereTold) {
  Traffic starts;
  starts.sent(0, 1, 8);
  starts.sent(0, 2, 0);  // no message
  starts.received(0, 3, 5);
  starts.kept(4);
  EXPECT_FALSE(starts.has_argument());
  Traffic all;
  all.add(starts);
  EXPECT_FALSE(all.has_argument());
  starts.argument(0);
  all.add(starts);
  EXPECT_TRUE(all.has_argument());
  EXPECT_EQ(all.argument(), 0);
  EXPECT_EQ(all.items().size(), 4U);
  EXPECT_TRUE(all.items()[0].is_sent);
  EXPECT_FALSE(all.items()[1].is_sent);
  EXPECT_EQ(all.kept(), 8);
  all.received_unknown();
  all.scanned(3);
  all.clear();
  EXPECT_TRUE(all.items().empty());
  EXPECT_FALSE(all.has_argument());
  EXPECT_EQ(all.kept() + all.scanned() + all.receives_unknown(), 0);
}

}  // namespace
}  // namespace isobath::profiler
