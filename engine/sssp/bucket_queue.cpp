// SPDX-License-Identifier: Apache-2.0
#include "sssp/bucket_queue.hpp"

#include <algorithm>
#include <utility>

namespace isobath {

void BucketQueue::reset(double delta) {
  for (auto& bucket : buckets_) bucket.clear();
  waiting_.clear();
  first_ = 0;
  per_distance_ = 1 / delta;
  now_ = 0;
}

void BucketQueue::put(std::uint32_t vertex, float distance) {
  const double place = (static_cast<double>(distance) - first_) * per_distance_;
  if (!(place < static_cast<double>(window))) {
    waiting_.push_back({distance, vertex});
  } else {
    const auto bucket = place > 0 ? static_cast<std::size_t>(place) : 0;
    buckets_[std::max(bucket, now_)].push_back({distance, vertex});
  }
}

bool BucketQueue::advance() {
  for (;;) {
    while (now_ < window && buckets_[now_].empty()) ++now_;
    if (now_ < window) return true;
    now_ = 0;
    if (waiting_.empty()) return false;
    deal_waiting();
  }
}

/// The window begins anew at the least distance that waits.
void BucketQueue::deal_waiting() {
  first_ = std::min_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
             return a.distance < b.distance;
           })->distance;
  std::swap(waiting_, dealt_);
  waiting_.clear();
  for (const TentativeVertex& waiting : dealt_) put(waiting.vertex, waiting.distance);
}

}  // namespace isobath
