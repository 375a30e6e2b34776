// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/threads.hpp"

namespace isobath {

/// Updates of a large table by many threads without locked operations: every thread owns a range of the
/// table, deals what it meets to the owners, and applies what the others dealt to it, asking memory for each
/// entry well ahead.
///
/// Called inside a parallel region by all its threads.
template <class Item>
class OwnedUpdates {
 public:
  /// Items of one thread and round, so that they stay in the second-level cache.
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  explicit OwnedUpdates(int threads)
      : threads_(static_cast<std::size_t>(threads)), dealt_(threads_ * threads_) {}

  /// Deals an item of thread `me` to thread `owner`.
  void deal(std::size_t me, std::size_t owner, const Item& item) {
    dealt_[me * threads_ + owner].items.push_back(item);
  }

  /// All threads: applies everything dealt to each, then forgets it.
  /// @param prefetch, apply  called with an item by its owner
  template <class Prefetch, class Apply>
  void round(Prefetch prefetch, Apply apply) {
    constexpr std::size_t ahead = 24;
    const auto me = static_cast<std::size_t>(thread_id());
#pragma omp barrier
    for (std::size_t from = 0; from < threads_; ++from) {
      const std::vector<Item>& items = dealt_[from * threads_ + me].items;
      for (std::size_t i = 0; i < items.size() && i < ahead; ++i) prefetch(items[i]);
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (i + ahead < items.size()) prefetch(items[i + ahead]);
        apply(items[i]);
      }
    }
#pragma omp barrier
    for (std::size_t to = 0; to < threads_; ++to) dealt_[me * threads_ + to].items.clear();
  }

 private:
  struct alignas(64) Dealt {
    std::vector<Item> items;
  };
  std::size_t threads_;
  std::vector<Dealt> dealt_;
};

}  // namespace isobath
