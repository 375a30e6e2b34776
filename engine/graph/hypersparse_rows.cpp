// SPDX-License-Identifier: Apache-2.0
#include "graph/hypersparse_rows.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Starts of those that have a neighbour. The others have no length, so that these begin where they did.
/// @param rows      in either form
/// @param entry_of  where a row stands in them
template <class AnyRows, class EntryOf>
CompactRows kept_starts(AnyRows rows, const PlacedBits& existing, EntryOf&& entry_of) {
  LargeArray<std::uint32_t> length(existing.count() + 1);
  const std::span<const Word> words = existing.bits();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = existing.members_below(w * word_bits);
    for_each_bit(words.subspan(w, 1),
                 [&](std::size_t bit) { length[place++] = rows.length(entry_of(w * word_bits + bit)); });
  }
  return {CompactStarts(std::move(length)), std::move(rows.neighbour)};
}

}  // namespace

HypersparseRows::HypersparseRows(Rows rows, PlacedBits existing) {
  CompactRows by_place = kept_starts(std::move(rows), existing, [](std::size_t row) { return row; });
  *this = HypersparseRows(std::move(existing), std::move(by_place));
}

HypersparseRows::HypersparseRows(PlacedBits existing, CompactRows by_place)
    : existing_(std::move(existing)), by_place_(std::move(by_place)) {
  ISOBATH_EXPECTS(by_place_.num_rows() == existing_.count());
  ISOBATH_EXPECTS(by_place_.start[existing_.count()] == by_place_.num_arcs());
}

HypersparseRows HypersparseRows::with_neighbour(const PlacedBits& candidates, CompactRows by_place) {
  const std::span<const Word> words = candidates.bits();
  LargeArray<Word> with_arc(words.size());
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = candidates.members_below(w * word_bits);
    for_each_bit(words.subspan(w, 1), [&](std::size_t bit) {
      if (by_place.length(place++) != 0) with_arc[w] |= Word{1} << bit;
    });
  }
  PlacedBits existing(std::move(with_arc));
  CompactRows kept = kept_starts(std::move(by_place), existing,
                                 [&](std::size_t row) { return candidates.members_below(row); });
  return {std::move(existing), std::move(kept)};
}

}  // namespace isobath
