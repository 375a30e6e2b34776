// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"

namespace isobath {

/// Places in one buffer for what several threads have, grouped. Threads look twice at what they have: first
/// each counts what it has for every group, then it puts it where it belongs. So no list grows, and what is
/// in a group stands by thread, that of a thread in its order.
class Groups {
 public:
  /// @param last  a group that stands behind all others; `count` where there is none
  explicit Groups(std::size_t count) : Groups(count, count) {}
  Groups(std::size_t count, std::size_t last)
      : last_(last), counts_(count), at_(static_cast<std::size_t>(max_threads()) * entries_of_thread()) {}

  /// Called inside a parallel region by all its threads; each has returned before the groups are complete.
  /// @param count      count(at): adds one to at[g] for each of what this thread has for group g
  /// @param make_room  make_room(n): called by one thread between the two; n in all
  /// @param put        put(at): what it has for group g goes to place at[g]++
  template <class Count, class MakeRoom, class Put>
  void group(Count&& count, MakeRoom&& make_room, Put&& put) {
    const std::span<std::int64_t> at = of_thread(static_cast<std::size_t>(thread_id()));
    std::fill(at.begin(), at.end(), 0);
    count(at);
#pragma omp barrier
#pragma omp single
    make_room(static_cast<std::size_t>(place(static_cast<std::size_t>(num_threads()))));
    put(at);
  }

  /// Of each group, how much is in it.
  std::vector<std::int64_t>& counts() { return counts_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  /// What is in a group, where none stands behind the others.
  template <class T>
  std::span<const T> of(std::span<T> grouped, std::size_t group) const {
    const auto first = std::accumulate(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(group),
                                       std::int64_t{0});
    return grouped.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(counts_[group]));
  }

 private:
  /// So many that entries of two threads never lie in one cache line.
  std::size_t entries_of_thread() const { return counts_.size() + 64 / sizeof(std::int64_t); }
  std::span<std::int64_t> of_thread(std::size_t thread) {
    return std::span(at_).subspan(thread * entries_of_thread(), counts_.size());
  }

  /// Turns the counts of threads into where the first that each has for a group goes; how many there are.
  std::int64_t place(std::size_t threads) {
    std::int64_t next = 0;
    const auto place_group = [&](std::size_t group) {
      const std::int64_t first = next;
      for (std::size_t thread = 0; thread < threads; ++thread) {
        next += std::exchange(of_thread(thread)[group], next);
      }
      counts_[group] = next - first;
    };
    for (std::size_t group = 0; group < counts_.size(); ++group) {
      if (group != last_) place_group(group);
    }
    if (last_ < counts_.size()) place_group(last_);
    return next;
  }

  std::size_t last_;
  std::vector<std::int64_t> counts_;  // of each group
  std::vector<std::int64_t> at_;      // per thread and group
};

}  // namespace isobath
