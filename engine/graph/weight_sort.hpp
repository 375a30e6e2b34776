// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitmap.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Sorts rows by ascending weight, equal weights by index, and drops all but the lightest copy of every
/// neighbour. One thread's, kept from row to row. Which neighbours of a row it has met it remembers in one
/// bit per index, while all these fit a cache, or in a table of 8 to 16 bytes for each of the row's arcs:
/// memory grows with the longest row, not with the indices, or with these where they are less.
class WeightSort {
 public:
  /// @param num_indices  every neighbour's index is smaller
  explicit WeightSort(std::uint32_t num_indices) : num_indices_(num_indices) {}

  /// @returns how many neighbours remain, at the front
  std::uint32_t operator()(WeightedArc* row, std::uint32_t count);

  /// Whether a row of `count` arcs has a bit per index.
  static bool has_bits(std::uint32_t num_indices, std::uint32_t count) {
    const std::uint64_t bytes = words_for(num_indices) * sizeof(Word);
    return bytes <= std::max(cached_bytes, table_slots(count) * sizeof(std::uint32_t));
  }
  /// What remembers neighbours, as large as it became.
  std::size_t met_bytes() const { return met_.size() * sizeof(Word) + table_.size() * sizeof(std::uint32_t); }

 private:
  static constexpr std::uint64_t cached_bytes = std::uint64_t{1} << 21;  // bits beyond it are slower
  /// A power of two, half of them empty at the least.
  static std::uint64_t table_slots(std::uint32_t count) { return std::bit_ceil(std::uint64_t{2} * count); }

  void sort(WeightedArc* row, std::uint32_t count);
  std::uint32_t drop_copies_by_bits(WeightedArc* row, std::uint32_t count);
  std::uint32_t drop_copies_by_table(WeightedArc* row, std::uint32_t count);

  std::uint32_t num_indices_;
  std::vector<Word> met_;             // all zero between rows; none before a row that has bits
  std::vector<std::uint32_t> table_;  // neighbours that the row has met, by their hashes
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> places_;
};

}  // namespace isobath
