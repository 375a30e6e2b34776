// SPDX-License-Identifier: Apache-2.0
#include "graph/hypersparse_rows.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Starts of those that have a neighbour. The others end where they start, so that these stay right.
/// @param entry_of  where a row stands in `rows`
template <class EntryOf>
Rows kept_starts(Rows rows, const PlacedBits& existing, EntryOf&& entry_of) {
  Rows kept;
  kept.start = LargeArray<std::uint64_t>(existing.count() + 1);
  const std::span<const Word> words = existing.bits();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = existing.members_below(w * word_bits);
    for_each_bit(words.subspan(w, 1),
                 [&](std::size_t bit) { kept.start[place++] = rows.start[entry_of(w * word_bits + bit)]; });
  }
  kept.start[existing.count()] = rows.num_arcs();
  kept.neighbour = std::move(rows.neighbour);
  return kept;
}

}  // namespace

HypersparseRows::HypersparseRows(Rows rows, PlacedBits existing) : existing_(std::move(existing)) {
  by_place_ = kept_starts(std::move(rows), existing_, [](std::size_t row) { return row; });
}

HypersparseRows::HypersparseRows(PlacedBits existing, Rows by_place)
    : existing_(std::move(existing)), by_place_(std::move(by_place)) {
  ISOBATH_EXPECTS(by_place_.num_rows() == existing_.count());
}

HypersparseRows HypersparseRows::with_neighbour(const PlacedBits& candidates, Rows by_place) {
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
  Rows kept = kept_starts(std::move(by_place), existing,
                          [&](std::size_t row) { return candidates.members_below(row); });
  return {std::move(existing), std::move(kept)};
}

}  // namespace isobath
