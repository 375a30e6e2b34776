// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/threads.hpp"

namespace isobath {

/// Updates of a large table, grouped so that each bucket of the table is touched by one thread while it lies in cache.
///
/// Called inside a parallel region by all its threads. Each thread's items are dealt into buckets (histogram, then
/// scatter into its own scratch); after a barrier every bucket is applied by one thread, in thread order.
template <class Item>
class BucketedUpdates {
 public:
  /// Items of one thread and round: scratch that stays in the second-level cache.
  static constexpr std::size_t capacity = std::size_t{1} << 17;

  BucketedUpdates(std::size_t num_buckets, int threads)
      : num_buckets_(num_buckets), threads_(static_cast<std::size_t>(threads)), starts_(threads_), scratch_(threads_) {
    for (std::size_t t = 0; t < threads_; ++t) {
      starts_[t].resize(num_buckets_ + 2);
      scratch_[t] = LargeArray<Item>(capacity);
    }
  }

  /// @param items      at most `capacity` items of this thread
  /// @param bucket_of  item -> bucket
  /// @param apply      called with (bucket, span of items)
  template <class BucketOf, class Apply>
  void round(std::span<const Item> items, BucketOf bucket_of, Apply apply) {
    const auto me = static_cast<std::size_t>(thread_id());
    std::vector<std::uint32_t>& start = starts_[me];
    std::fill(start.begin(), start.end(), 0U);
    for (const Item& item : items) ++start[bucket_of(item) + 2];
    for (std::size_t b = 2; b < start.size(); ++b) start[b] += start[b - 1];
    Item* const out = scratch_[me].data();
    for (const Item& item : items) out[start[bucket_of(item) + 1]++] = item;
#pragma omp barrier
#pragma omp for schedule(dynamic, 4)
    for (std::size_t b = 0; b < num_buckets_; ++b) {
      for (std::size_t t = 0; t < threads_; ++t) {
        const std::uint32_t first = starts_[t][b];
        const std::uint32_t end = starts_[t][b + 1];
        if (first != end) apply(b, std::span<const Item>(scratch_[t].data() + first, end - first));
      }
    }  // implicit barrier: scratch may be used again
  }

 private:
  std::size_t num_buckets_;
  std::size_t threads_;
  std::vector<std::vector<std::uint32_t>> starts_;
  std::vector<LargeArray<Item>> scratch_;
};

}  // namespace isobath
