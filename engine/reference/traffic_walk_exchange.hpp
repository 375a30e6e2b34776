// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reference/traffic_walk.hpp"

namespace isobath::reference {

/// A personalised exchange in every grid row at once: bytes from each rank for each rank of its grid row.
class RowBytes {
 public:
  RowBytes(int rows, int cols)
      : rows_(rows), cols_(cols), bytes_(static_cast<std::size_t>(rows) * count(cols) * count(cols)) {}
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int rank_at(int row, int col) const { return col * rows_ + row; }
  std::int64_t& at(int row, int from_col, int to_col) { return bytes_[index(row, from_col, to_col)]; }
  std::int64_t at(int row, int from_col, int to_col) const { return bytes_[index(row, from_col, to_col)]; }

 private:
  static std::size_t count(int cols) { return static_cast<std::size_t>(cols); }
  std::size_t index(int row, int from_col, int to_col) const {
    return (count(row) * count(cols_) + count(from_col)) * count(cols_) + count(to_col);
  }
  int rows_;
  int cols_;
  std::vector<std::int64_t> bytes_;
};

/// What each rank sends to others so that the bytes arrive.
struct ExchangeTraffic {
  std::vector<std::int64_t> count_bytes;  // by rank: telling how much will come
  std::vector<std::int64_t> fold_bytes;   // by rank: the bytes themselves, with what is put around them
};
/// @throws UsageError for two levels where the nodes of a grid row differ in their number of ranks
ExchangeTraffic exchange_traffic(const RowBytes& bytes, const TrafficRules& rules);

}  // namespace isobath::reference
