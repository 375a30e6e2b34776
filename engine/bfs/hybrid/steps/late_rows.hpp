// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/rows.hpp"

namespace isobath {

/// Rows that are still to be scanned (their planes held no visited neighbour, or few are left) wait here
/// until there are enough of them to hide the latency of memory: their offsets are prefetched, then their
/// neighbours, then they are scanned.
class LateRows {
 public:
  /// No more than 64 may be pushed between two questions whether it is full.
  bool is_full() const { return count_ > room - 64; }
  void push(std::uint32_t row) { rows_[count_++] = row; }

  /// @param scan  scan(row): called for every waiting row once its memory has been asked for
  template <class Scan>
  void drain(const Rows& rows, std::size_t skip, Scan&& scan) {
    for (std::size_t i = 0; i < count_; ++i) rows.prefetch_start(rows_[i]);
    for (std::size_t i = 0; i < count_; ++i) {
      __builtin_prefetch(rows.neighbour.data() + rows.start[rows_[i]] + skip);
    }
    for (std::size_t i = 0; i < count_; ++i) scan(rows_[i]);
    count_ = 0;
  }

 private:
  static constexpr std::size_t room = 192;
  std::array<std::uint32_t, room> rows_;
  std::size_t count_ = 0;
};

}  // namespace isobath
