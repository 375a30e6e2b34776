// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

namespace isobath {

/// Where arrays by row or by column have entries of those alone that have an arc on this rank. The part of a
/// graph that a rank of a large grid stores is hypersparse (Buluc and Gilbert, IPDPS 2008): most of its rows
/// have none (docs/adr/0050-rows-that-exist.md). On one grid column, whose rows are complete, it never is.
enum class Hypersparse {
  never,
  by_count,  // where fewer than half of the rows have an arc, or of the columns; each by itself, on each rank
  always     // for tests, which compare it with `never`
};

/// @param with_arc  rows, or columns, that have an arc here
/// @param all       the searched vertices that they are, without padding
constexpr bool is_hypersparse(Hypersparse asked, std::size_t with_arc, std::size_t all) {
  return asked == Hypersparse::always || (asked == Hypersparse::by_count && 2 * with_arc < all);
}

/// Whether construction has codes of those originals of a grid row, or column, alone that occur in arcs here:
/// where fewer than a quarter do, which is to say on many ranks. A code is looked up for every arc, and by
/// place it is two look-ups; so on few ranks, where half of all originals have no edge anywhere, codes are of
/// all.
constexpr bool are_few_codes(Hypersparse asked, std::size_t occurring, std::size_t all) {
  return asked == Hypersparse::always || (asked == Hypersparse::by_count && 4 * occurring < all);
}
/// So many that no more need be counted: with them the answer is no.
constexpr std::size_t enough_codes(Hypersparse asked, std::size_t all) {
  return asked == Hypersparse::always ? std::numeric_limits<std::size_t>::max() : (all + 3) / 4;
}

}  // namespace isobath
