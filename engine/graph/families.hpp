// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.hpp"
#include "graph/endpoints.hpp"
#include "graph/layout.hpp"
#include "graph/numbering.hpp"
#include "graph/rows.hpp"

namespace isobath {

class BlockPartition;
class OriginalArcs;
struct Grid;
struct NamedHubs;

/// The rows that have the same heavy vertex as first neighbour, their head, are a family and have consecutive
/// working numbers. So one look at the head decides for all of them: bottom-up sets a range of bits, and
/// top-down from the head does the same without reading the arcs. On one grid column, where every rank has
/// the rows of its vertices whole: a head is a vertex of any rank, its family are own vertices. See
/// docs/adr/0025.
///
/// Heads of few rows have no family here: their rows stand behind, and are searched one by one.
///
/// On several grid columns a head is a hub, and its family are the own vertices that keep it first
/// (number_by_first_hub()): head[] holds hub numbers, in the order of places, and visited_cols in
/// mark_followers() is a bitmap of hubs. of_heavy and all below it are empty, members() is not asked;
/// HubFollowers has what it says.
struct Families {
  /// Families are looked at in lots of 64 heads; the first lot with fewer rows than this a head ends them:
  /// there, setting ranges of bits is no cheaper than asking 16 rows at a time.
  static constexpr std::uint32_t worthwhile = 8;

  /// Members of the row of a head: arcs number first .. first + size - 1 of the row lead to them.
  struct Members {
    std::uint32_t begin = 0;  // rows
    std::uint32_t end = 0;
    std::uint32_t first = 0;   // where they begin in the row of their head
    std::uint32_t family = 0;  // which family they are

    std::uint32_t size() const { return end - begin; }
  };

  std::vector<std::uint32_t> begin;  // first row of each family, and the end of the last; empty without any
  std::vector<std::uint32_t> head;   // by family: place of the head while vertices are numbered, then its
                                     // column, or its hub number (several grid columns)
  std::vector<Members> of_heavy;  // by heavy vertex: those of piece 0 of the columns, those of piece 1, ...
  std::vector<std::uint32_t> first_heavy;  // of every piece, in of_heavy, and the end
  std::vector<std::uint32_t> first_col;    // of every piece, and the end

  bool empty() const { return head.empty(); }
  std::size_t size() const { return head.size(); }
  /// Rows [first, end) are in families, all of them.
  std::uint32_t first_row() const { return empty() ? 0 : begin.front(); }
  std::uint32_t end_row() const { return empty() ? 0 : begin.back(); }
  Members members(std::uint32_t column) const {
    if (empty()) return {};
    const std::size_t heavy = first_col.size() == 2 ? column : number_of_heavy(column);
    return heavy < of_heavy.size() ? of_heavy[heavy] : Members{};
  }

  /// Writes `words` words of bits from row word `first_word` on: rows whose head is visited.
  void mark_followers(std::size_t first_word, std::size_t words, const Word* visited_cols,
                      Word* followers) const;
  /// The same by family. @param is_marked  of each family, whether its head counts
  void mark_followers_of(std::size_t first_word, std::size_t words, std::span<const char> is_marked,
                         Word* followers) const;

  /// Heads are places among the heavy vertices until there is a layout, which says how many each piece has.
  void find_columns(const GridLayout& layout);
  /// Adds where the members stand in the rows of their heads. @param rows  by source
  void find_members(const Rows& rows);
  /// On several pieces: which of of_heavy a column is; the end where it is none.
  std::size_t number_of_heavy(std::uint32_t column) const;
};

/// Sets the bits [begin, end).
void set_bits(Word* words, std::size_t begin, std::size_t end);

/// The own vertices that have the first numbers, and keep them: all of so many end points.
struct FrontVertices {
  std::uint32_t count;
  std::int64_t least_endpoints;
};

/// Gives new working numbers to all searched vertices but those in front, so that each family stands
/// together. They are sorted by the first head among their neighbours, and those of the same one by original
/// number; vertices without such a neighbour come last. So a family holds vertices of several degree classes,
/// and of what the numbering says of classes only that of leaves, and of the heavy ones, is true afterwards.
///
/// @param numbering   with working numbers
/// @param first_head  by own original: the place of its first head; num_heads or more where it has none
/// @param num_heads   who may be a head: of one grid column its heavy vertices
/// @param front       on one grid column the heavy vertices
/// @return the families, a head known by its place. On one grid column Families::find_columns() is to follow
/// when there is a layout, and find_members() when the rows are there
Families number_families(Numbering& numbering, const Endpoints& endpoints,
                         std::span<const std::uint32_t> first_head, std::uint32_t num_heads,
                         const FrontVertices& front);

struct HeavyFamilies {
  Families families;
  std::vector<std::uint32_t> heavy_of_piece;  // of the columns; none where no rank has a heavy vertex
};

/// Collective over the grid column. On one grid column, where every rank has all arcs of its vertices:
/// numbers the own searched vertices anew, so that those of the same first heavy neighbour stand together
/// (docs/adr/0025). Heavy vertices keep their numbers, in front. Nothing is numbered anew where no rank has
/// one. On several grid columns it is number_by_first_hub().
///
/// @param numbering  by degree class
/// @return the families; their heads are places in the order of for_each_heavy()
HeavyFamilies number_by_first_heavy(Numbering& numbering, const OriginalArcs& arcs,
                                    const Endpoints& endpoints, const BlockPartition& blocks,
                                    const Grid& grid);

/// Collective over the grid row. On several grid columns: numbers the own searched vertices anew, so that
/// those of the same first hub stand together (docs/adr/0025). Hubs and heavy vertices are in front, by
/// falling degree; the others follow by the place of the first hub among their neighbours, and those without
/// one, or with one of the places behind an eighth of the own searched vertices, come last: what is kept by
/// hub while they are counted grows with these, not with all hubs. Among equals in original order.
///
/// @param numbering  by degree class
/// @param named      hubs in front, not empty
/// @return the families; their heads are hub numbers
Families number_by_first_hub(Numbering& numbering, const OriginalArcs& arcs, const Endpoints& endpoints,
                             const BlockPartition& blocks, const Grid& grid, const NamedHubs& named);

}  // namespace isobath
