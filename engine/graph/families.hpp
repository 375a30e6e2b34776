// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitmap.hpp"
#include "graph/endpoints.hpp"
#include "graph/numbering.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// The rows that have the same heavy vertex as first neighbour, their head, are a family and have consecutive
/// working numbers. So one look at the head decides for all of them: bottom-up sets a range of bits, and
/// top-down from the head does the same without reading the arcs. See docs/adr/0025.
///
/// Heads of few rows have no family here: their rows stand behind, and are searched one by one.
struct Families {
  /// Members of the row of a head: arcs number first .. first + size - 1 of the row lead to them.
  struct Members {
    std::uint32_t begin = 0;  // rows
    std::uint32_t end = 0;
    std::uint32_t first = 0;  // where they begin in the row of their head

    std::uint32_t size() const { return end - begin; }
  };

  std::vector<std::uint32_t> begin;  // first row of each family, and the end of the last; empty without any
  std::vector<std::uint32_t> head;   // of each family, ascending
  std::vector<Members> of_heavy;     // by working number of the heavy vertex, up to the last head

  bool empty() const { return head.empty(); }
  /// Rows [first, end) are in families, all of them.
  std::uint32_t first_row() const { return empty() ? 0 : begin.front(); }
  std::uint32_t end_row() const { return empty() ? 0 : begin.back(); }
  Members members(std::uint32_t working) const {
    return working < of_heavy.size() ? of_heavy[working] : Members{};
  }

  /// Writes `words` words of bits from row word `first_word` on: rows whose head is visited.
  void mark_followers(std::size_t first_word, std::size_t words, const Word* visited, Word* followers) const;
};

/// Sets the bits [begin, end).
void set_bits(Word* words, std::size_t begin, std::size_t end);

/// Gives new working numbers to all searched vertices but the heavy ones, so that each family stands
/// together. They are sorted by the first heavy vertex among their neighbours, and those of the same one by
/// original number; vertices without a heavy neighbour come last. So a family holds vertices of several
/// degree classes, and of what the numbering says of classes only that of leaves is true afterwards.
///
/// @param numbering  with working numbers by degree class. Before the call code[v] has, for every searched
/// vertex v that is not heavy, the working number of its first heavy neighbour; num_heavy() where it has none
/// @return the families; Members::first is still 0, and find_members() fills it in when the rows are there
Families number_families(Numbering& numbering, const Endpoints& endpoints);

/// Adds where the members stand in the rows of their heads.
void find_members(Families& families, const Rows& rows);

}  // namespace isobath
