// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitmap.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Sorts rows by ascending weight, equal weights by index, and drops all but the lightest copy of every
/// neighbour. One thread's, kept from row to row: it holds one bit per index.
class WeightSort {
 public:
  /// @param num_indices  every neighbour's index is smaller
  explicit WeightSort(std::uint32_t num_indices) : met_(words_for(num_indices)) {}

  /// @returns how many neighbours remain, at the front
  std::uint32_t operator()(WeightedArc* row, std::uint32_t count);

 private:
  void sort(WeightedArc* row, std::uint32_t count);
  std::uint32_t drop_copies(WeightedArc* row, std::uint32_t count);

  std::vector<Word> met_;  // all zero between rows
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> places_;
};

}  // namespace isobath
