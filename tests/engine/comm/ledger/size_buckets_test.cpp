// SPDX-License-Identifier: Apache-2.0
// Buckets by values worked out by hand, and against a search through their own ends.
#include "comm/ledger/size_buckets.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace isobath {
namespace {

TEST(SizeBuckets, FourPerOctaveByHand) {
  const SizeBuckets buckets;
  // size, from, to
  const std::int64_t expected[][3] = {{0, 0, 1},
                                      {1, 1, 2},
                                      {2, 2, 3},
                                      {3, 3, 4},
                                      {4, 4, 5},
                                      {7, 7, 8},
                                      {8, 8, 10},
                                      {9, 8, 10},
                                      {10, 10, 12},
                                      {15, 14, 16},
                                      {16, 16, 20},
                                      {19, 16, 20},
                                      {31, 28, 32},
                                      {512, 512, 640},
                                      {1023, 896, 1024},
                                      {1024, 1024, 1280},
                                      {57343, 49152, 57344},
                                      {57344, 57344, 65536},
                                      {65535, 57344, 65536},
                                      {65536, 65536, 81920}};
  for (const auto& [size, from, to] : expected) {
    const std::size_t bucket = buckets.bucket_of(size);
    EXPECT_EQ(buckets.from(bucket), from) << size;
    EXPECT_EQ(buckets.to(bucket), to) << size;
  }
}

TEST(SizeBuckets, OfOctavesFollowEachOtherAndAreAtMostAQuarterWide) {
  const SizeBuckets buckets;
  EXPECT_EQ(buckets.from(0), 0);
  for (std::size_t bucket = 0; bucket + 1 < buckets.count(); ++bucket) {
    const std::int64_t from = buckets.from(bucket);
    const std::int64_t to = buckets.to(bucket);
    ASSERT_LT(from, to);
    EXPECT_EQ(buckets.bucket_of(from), bucket);
    EXPECT_EQ(buckets.bucket_of(to - 1), bucket);
    EXPECT_EQ(buckets.bucket_of(to), bucket + 1);
    if (from >= 4) {
      EXPECT_LE(to - from, from / 4 + (from < 16 ? 1 : 0)) << from;
    }
  }
  EXPECT_EQ(buckets.bucket_of(SizeBuckets::no_end), buckets.count() - 1);
  EXPECT_EQ(buckets.to(buckets.count() - 1), SizeBuckets::no_end);
}

TEST(SizeBuckets, OfGivenEdges) {
  const SizeBuckets buckets({8, 512, 1024});
  ASSERT_EQ(buckets.count(), 4U);
  const std::pair<std::int64_t, std::size_t> expected[] = {
      {0, 0}, {7, 0}, {8, 1}, {511, 1}, {512, 2}, {1023, 2}, {1024, 3}, {std::int64_t{1} << 40, 3}};
  for (const auto& [size, bucket] : expected) EXPECT_EQ(buckets.bucket_of(size), bucket) << size;
  EXPECT_EQ(buckets.from(0), 0);
  EXPECT_EQ(buckets.to(0), 8);
  EXPECT_EQ(buckets.from(3), 1024);
  EXPECT_EQ(buckets.to(3), SizeBuckets::no_end);
}

TEST(SizeBuckets, RefuseEdgesThatDoNotAscend) {
  for (const std::vector<std::int64_t>& edges :
       std::vector<std::vector<std::int64_t>>{{}, {0}, {-1}, {8, 8}, {16, 8}}) {
    EXPECT_THROW(SizeBuckets{edges}, UsageError);
  }
}

TEST(SizeHistograms, CountAddUpAndForget) {
  SizeHistograms sizes{SizeBuckets({10, 100})};
  EXPECT_TRUE(sizes.of(CallKind::alltoallv, SizeMeaning::per_peer).empty());
  sizes.add(CallKind::alltoallv, SizeMeaning::per_peer, 5, 3, 1.5);
  sizes.add(CallKind::alltoallv, SizeMeaning::per_peer, 9, 1, 0.5);
  sizes.add(CallKind::alltoallv, SizeMeaning::per_peer, 0, 7, 2.0);  // no messages
  sizes.add(CallKind::alltoallv, SizeMeaning::call_total, 50, 1, 2.0);
  SizeHistograms sum{SizeBuckets({10, 100})};
  sum += sizes;
  sum += sizes;
  const std::span<const SizeCount> per_peer = sum.of(CallKind::alltoallv, SizeMeaning::per_peer);
  ASSERT_EQ(per_peer.size(), 3U);
  EXPECT_EQ(per_peer[0].count, 8);
  EXPECT_EQ(per_peer[0].bytes, 2 * (3 * 5 + 9));
  EXPECT_EQ(per_peer[0].seconds, 4.0);
  EXPECT_EQ(per_peer[1].count, 0);
  EXPECT_EQ(sum.of(CallKind::alltoallv, SizeMeaning::call_total)[1].count, 2);
  EXPECT_EQ(sum.of(CallKind::alltoallv, SizeMeaning::own_segment)[0].count, 0);
  sum.clear();
  EXPECT_EQ(sum.of(CallKind::alltoallv, SizeMeaning::per_peer)[0].count, 0);
}

}  // namespace
}  // namespace isobath
