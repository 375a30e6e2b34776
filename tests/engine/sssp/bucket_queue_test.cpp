// SPDX-License-Identifier: Apache-2.0
#include "sssp/bucket_queue.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Takes everything out, bucket by bucket; inside a bucket in any order.
std::vector<std::vector<std::uint32_t>> drain(BucketQueue& queue) {
  std::vector<std::vector<std::uint32_t>> buckets;
  while (queue.advance()) {
    std::vector<std::uint32_t> vertices;
    for (const TentativeVertex& entry : queue.current()) vertices.push_back(entry.vertex);
    std::sort(vertices.begin(), vertices.end());
    buckets.push_back(vertices);
    queue.current().clear();
  }
  return buckets;
}

using Buckets = std::vector<std::vector<std::uint32_t>>;

TEST(BucketQueue, GivesBucketsInOrder) {
  BucketQueue queue;
  queue.reset(0.25);
  queue.put(7, 0.6F);
  queue.put(1, 0.1F);
  queue.put(2, 0.2F);
  queue.put(3, 0.5F);
  EXPECT_EQ(drain(queue), (Buckets{{1, 2}, {3, 7}}));
}

TEST(BucketQueue, KeepsOrderFarBeyondItsWindow) {
  BucketQueue queue;
  queue.reset(1.0 / 1024);
  queue.put(5, 5000.0F);
  queue.put(1, 0.0F);
  queue.put(4, 70.0F);
  queue.put(3, 1.5F);
  queue.put(6, 3e38F);
  EXPECT_EQ(drain(queue), (Buckets{{1}, {3}, {4}, {5}, {6}}));
}

TEST(BucketQueue, TakesWhatFallsIntoTheCurrentBucketOrComesTooLate) {
  BucketQueue queue;
  queue.reset(1);
  queue.put(1, 3.5F);
  ASSERT_TRUE(queue.advance());
  queue.current().clear();
  queue.put(2, 3.6F);
  queue.put(3, 0.5F);  // a queue of tentative distances never goes back; it is not lost either
  queue.put(4, 4.5F);
  EXPECT_EQ(drain(queue), (Buckets{{2, 3}, {4}}));
}

TEST(BucketQueue, IsEmptyAfterReset) {
  BucketQueue queue;
  queue.reset(1);
  queue.put(1, 2);
  queue.put(2, 1e9F);
  queue.reset(2);
  EXPECT_FALSE(queue.advance());
  queue.put(3, 0);
  EXPECT_EQ(drain(queue), (Buckets{{3}}));
}

}  // namespace
}  // namespace isobath
