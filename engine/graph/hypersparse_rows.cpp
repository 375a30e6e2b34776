// SPDX-License-Identifier: Apache-2.0
#include "graph/hypersparse_rows.hpp"

#include <utility>

namespace isobath {

/// Rows without a neighbour end where they start, so that those of others stay right.
HypersparseRows::HypersparseRows(Rows rows, PlacedBits existing) : existing_(std::move(existing)) {
  by_place_.start = LargeArray<std::uint64_t>(existing_.count() + 1);
  const std::span<const Word> words = existing_.bits();
#pragma omp parallel for schedule(static)
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::size_t place = existing_.place_of(w * word_bits);
    for_each_bit(words.subspan(w, 1),
                 [&](std::size_t bit) { by_place_.start[place++] = rows.start[w * word_bits + bit]; });
  }
  by_place_.start[existing_.count()] = rows.num_arcs();
  by_place_.neighbour = std::move(rows.neighbour);
}

}  // namespace isobath
