// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isobath {

/// The frontier's columns of one level, shared by threads few at a time; the next few go to whoever asks.
class FrontierWork {
 public:
  explicit FrontierWork(std::span<const std::uint32_t> columns) : columns_(columns) {}

  /// Columns that nobody else has; none when all are taken.
  std::span<const std::uint32_t> take() {
    constexpr std::size_t few = 64;
    const std::size_t first = std::min(taken_.fetch_add(few), columns_.size());
    return columns_.subspan(first, std::min(few, columns_.size() - first));
  }
  /// Columns that were taken are scanned, and so many arcs were.
  void scanned(std::span<const std::uint32_t> columns, std::int64_t arcs) {
    arcs_ += arcs;
    scanned_ += columns.size();
  }
  /// True when there is nothing to take any more; others may still be scanning.
  bool is_all_taken() const { return taken_ >= columns_.size(); }
  /// True when nobody is at it any more. Then all that they did is visible here.
  bool is_all_scanned() const { return scanned_ == columns_.size(); }
  std::int64_t arcs() const { return arcs_; }

 private:
  std::span<const std::uint32_t> columns_;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> scanned_ = 0;
  std::atomic<std::int64_t> arcs_ = 0;
};

}  // namespace isobath
