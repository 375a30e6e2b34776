// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isobath {

/// A vertex and the tentative distance with which it was put into a bucket; out of date once it has a smaller
/// one.
struct TentativeVertex {
  float distance;
  std::uint32_t vertex;
};

/// Vertices by tentative distance in buckets of width delta (Meyer and Sanders 2003). A window of buckets
/// slides over the distances; what lies beyond it waits in one list and is dealt when the window gets there.
class BucketQueue {
 public:
  /// Empties the queue. @param delta  above zero
  void reset(double delta);
  void put(std::uint32_t vertex, float distance);
  /// Goes on to the first bucket that is not empty; false where there is none. The bucket may be the same
  /// again: relaxing its vertices puts new ones into it.
  bool advance();
  /// The current bucket, after advance(); put() adds to it what belongs to it or came too late.
  std::vector<TentativeVertex>& current() { return buckets_[now_]; }

 private:
  void deal_waiting();
  static constexpr std::size_t window = 1024;

  double first_ = 0;  // where the window begins
  double per_distance_ = 1;
  std::size_t now_ = 0;
  std::vector<std::vector<TentativeVertex>> buckets_ = std::vector<std::vector<TentativeVertex>>(window);
  std::vector<TentativeVertex> waiting_;
  std::vector<TentativeVertex> dealt_;
};

}  // namespace isobath
