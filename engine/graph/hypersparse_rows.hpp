// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/placed_bits.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Rows of which most have no neighbour on this rank: only those that have one have a start, found by their
/// place (doubly compressed rows, Buluc and Gilbert, IPDPS 2008; with a bitmap, Ueno et al., 2017). Read as
/// Rows are, so that code for either is one template.
class HypersparseRows {
 public:
  HypersparseRows() = default;
  /// @param rows      whose starts are given up; neighbours stay where they are
  /// @param existing  those that have a neighbour
  HypersparseRows(Rows rows, PlacedBits existing);
  /// @param by_place  that have an entry for each of `existing`, and no other
  HypersparseRows(PlacedBits existing, CompactRows by_place);
  /// Of rows some of which have no neighbour.
  /// @param by_place  that have an entry for each of `candidates`, and no other; neighbours stay
  static HypersparseRows with_neighbour(const PlacedBits& candidates, CompactRows by_place);

  const PlacedBits& existing() const { return existing_; }
  std::uint64_t num_arcs() const { return by_place_.num_arcs(); }
  std::span<const std::uint32_t> neighbours() const { return by_place_.neighbours(); }
  std::uint32_t length(std::size_t row) const {
    return existing_.contains(row) ? by_place_.length(existing_.members_below(row)) : 0;
  }
  std::span<const std::uint32_t> of(std::size_t row) const {
    if (!existing_.contains(row)) return {};
    return by_place_.of(existing_.members_below(row));
  }
  /// Calls visit(row, neighbours) for rows of [first, end) that have a neighbour. `first` begins a word.
  template <class Visit>
  void for_each_existing(std::size_t first, std::size_t end, Visit&& visit) const {
    if (first >= end) return;
    std::size_t place = existing_.members_below(first);
    const std::span<const Word> words = existing_.bits();
    for (std::size_t w = first / word_bits; w * word_bits < end; ++w) {
      for_each_bit(words.subspan(w, 1), [&](std::size_t bit) {
        visit(static_cast<std::uint32_t>(w * word_bits + bit), by_place_.of(place++));
      });
    }
  }
  std::size_t entry_of(std::size_t row) const { return existing_.members_below(row); }
  std::uint64_t first_arc(std::size_t row) const { return by_place_.first_arc(existing_.members_below(row)); }

  void prefetch_place(std::size_t row) const { existing_.prefetch(row); }
  void prefetch_start(std::size_t row) const { by_place_.prefetch_start(existing_.members_below(row)); }
  void prefetch_neighbours(std::size_t row) const {
    if (existing_.contains(row)) by_place_.prefetch_neighbours(existing_.members_below(row));
  }

 private:
  PlacedBits existing_;
  CompactRows by_place_;
};

}  // namespace isobath
