// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/placed_bits.hpp"
#include "graph/hypersparse.hpp"
#include "graph/original_codes.hpp"

namespace isobath {

/// The rows, or the columns, of which a weighted graph keeps something on this rank: all of them or, where
/// they are hypersparse, those that occur in arcs here and the own ones. Arrays have an entry for each of
/// these, at its *place*: as many as are present below it (docs/adr/0050-rows-that-exist.md). Where all are
/// present an index is its place.
class PresentIndices {
 public:
  /// Pieces begin at multiples of so many places, and so do their windows: entries of SweepTask::lowered and
  /// vectors end there.
  static constexpr std::size_t whole_places = 16;

  PresentIndices() = default;
  /// All. @param first  first index of each piece, and the end
  explicit PresentIndices(std::span<const std::uint32_t> first);
  /// @param members  a bit for each index; in every window of every piece whole_places or a multiple of it
  PresentIndices(std::span<const std::uint32_t> first, PlacedBits members);

  bool are_all() const { return are_all_; }
  /// Where all are not present: which are.
  const PlacedBits& members() const { return members_; }
  /// Places that there are; behind them stands what is missing.
  std::uint32_t count() const { return first_place_.back(); }
  /// Of a piece, or the end.
  std::uint32_t first_place(std::size_t piece) const { return first_place_[piece]; }
  std::size_t piece_of(std::uint32_t place) const {
    const auto next = std::upper_bound(first_place_.begin(), first_place_.end(), place);
    return static_cast<std::size_t>(next - first_place_.begin()) - 1;
  }

  bool contains(std::uint32_t index) const { return are_all_ || members_.contains(index); }
  /// As many as are present below an index, which may be the end: of one that is present its place.
  std::uint32_t place_of(std::uint32_t index) const {
    if (are_all_) return index;
    const bool is_end = index >= members_.bits().size() * word_bits;
    return static_cast<std::uint32_t>(is_end ? members_.count() : members_.members_below(index));
  }
  /// The other way round.
  std::uint32_t index_at(std::uint32_t place) const { return are_all_ ? place : find(place); }

  /// Calls visit(index, place) for all that are present in [first, end), ascending; where not all are, also
  /// for those up to the end of the word that `end` is in. @param first  a multiple of a word
  template <class Visit>
  void for_each_in(std::uint32_t first, std::uint32_t end, Visit&& visit) const {
    std::uint32_t place = place_of(first);
    if (are_all_) {
      for (; place < end; ++place) visit(place, place);
      return;
    }
    for (std::size_t w = first / word_bits; w < words_for(end); ++w) {
      for_each_bit(members_.bits()[w], static_cast<std::uint32_t>(w * word_bits),
                   [&](std::uint32_t index) { visit(index, place++); });
    }
  }

 private:
  static constexpr std::size_t sample = 256;
  std::uint32_t find(std::uint32_t place) const;

  bool are_all_ = true;
  std::vector<std::uint32_t> first_place_{0};
  PlacedBits members_;
  LargeArray<std::uint32_t> word_of_sample_;  // of every 256th member, and of the last
};

/// What is present of the rows, or columns, of a grid: where codes are of few originals and these make few of
/// all that are searched, they alone; the codes then say places. Else all.
/// @param codes      of originals that occur here, or of all
/// @param searched   of the whole grid row, or column
/// @param first      first index of each piece, and the end
/// @param own_piece  all of it is present
/// @param window     indices of a piece between places that are whole: see PresentIndices::whole_places
PresentIndices present_of(OriginalCodes& codes, Hypersparse asked, std::size_t searched,
                          std::span<const std::uint32_t> first, std::size_t own_piece, std::uint32_t window);

}  // namespace isobath
