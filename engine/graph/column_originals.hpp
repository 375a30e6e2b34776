// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/arena.hpp"
#include "base/expects.hpp"
#include "graph/positions.hpp"

namespace isobath {

struct Grid;
struct Graph;

/// Original numbers of columns, counted from the first of the grid column: positions, narrow or wide
/// (PositionForm).
///
/// Memory: 4 bytes a column, 5 where they are wide.
class ColumnOriginals {
 public:
  ColumnOriginals() = default;
  /// Narrow ones.
  explicit ColumnOriginals(LargeArray<std::uint32_t> originals) : low_(std::move(originals)) {}
  /// Wide ones. @param high  parallel to `low`
  ColumnOriginals(LargeArray<std::uint32_t> low, LargeArray<std::uint8_t> high, PositionSplit split)
      : low_(std::move(low)), high_(std::move(high)), are_wide_(true), split_(split) {}

  bool are_wide() const { return are_wide_; }
  std::size_t size() const { return low_.size(); }
  std::int64_t operator[](std::size_t entry) const {
    return are_wide_ ? static_cast<std::int64_t>(split_.joined(low_[entry], high_[entry]))
                     : std::int64_t{low_[entry]};
  }
  /// Asks memory for one.
  void prefetch(std::size_t entry) const {
    __builtin_prefetch(low_.data() + entry);
    if (are_wide_) __builtin_prefetch(high_.data() + entry);
  }
  /// All of them, of those who know no wide ones.
  std::span<const std::uint32_t> narrow() const {
    ISOBATH_EXPECTS(!are_wide_);
    return low_.span();
  }

 private:
  LargeArray<std::uint32_t> low_;
  LargeArray<std::uint8_t> high_;
  bool are_wide_ = false;
  PositionSplit split_;
};

/// Collective over the grid column. Graph::column_original, once it is known which columns exist: of
/// hypersparse ones those with an arc alone.
void build_column_originals(Graph& graph, const Grid& grid);

}  // namespace isobath
