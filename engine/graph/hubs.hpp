// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/families.hpp"
#include "graph/hub_followers.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

struct Graph;
struct Grid;
struct NamedHubs;

/// Of the hubs among its neighbours the owner of a vertex keeps so many, those of highest degree.
inline constexpr std::size_t num_kept_hubs = 4;

/// Of few hubs each has so many searched vertices at least, about as many as where a hundred thousand ranks
/// are: to see on few ranks what a search is there.
inline constexpr std::int64_t vertices_of_few_hubs = 4096;

/// A word of a bitmap of vertices that has hubs.
struct HubWord {
  std::uint32_t at;  // which word
  Word hubs;         // the bits of hubs
};

/// The vertices of highest degree over all ranks, numbered so that a bit for each fits on every rank, and
/// what owners keep of them. On several grid columns the owner of a vertex does not have its row; from these
/// it still knows, without asking, whether one of its largest neighbours was reached
/// (docs/adr/0043-hubs-on-every-rank.md).
///
/// Hubs have a *hub number*: those of rank 0 first, each rank's by ascending working number, those of a grid
/// column filled up to whole words of a bitmap. So the hubs of a grid column are a piece of the hub bitmap,
/// in the order of its columns.
struct Hubs {
  std::int64_t count = 0;                   // over all ranks
  std::vector<std::uint32_t> offset;        // first hub number of every rank, and the end
  std::vector<std::uint32_t> first_of_col;  // of every grid column, and the end; whole words
  std::vector<std::uint32_t> count_of_col;  // how many a grid column has
  LargeArray<std::int64_t> original;        // hub number -> original number; -1 where it is filling
  std::vector<HubWord> own_words;           // of own searched vertices
  std::vector<HubWord> words_in_column;     // of the columns of this rank
  std::array<LargeArray<std::uint32_t>, num_kept_hubs> kept;  // own vertex -> hub number, or missing()
  LargeArray<Word> has_kept;                                  // own vertices with any
  LargeArray<Word> has_others;        // own vertices with a neighbour that is not kept, on any rank: what the
                                      // kept hubs do not find, somebody else may
  LargeArray<Word> rows_with_others;  // rows stored here with a neighbour here that their owner does not
                                      // keep: after the owners' pass only these can be found here
  Families families;       // of own vertices that keep the same hub first; a head is known by its hub number
  HubFollowers followers;  // of the hubs of this grid column, on all ranks of the grid row

  bool empty() const { return count == 0; }
  std::size_t num_words() const { return empty() ? 0 : offset.back() / word_bits; }
  /// Hub number of nobody; its bit, one behind the last word, is never set.
  std::uint32_t missing() const { return offset.back(); }
};

/// How many vertices may be hubs at most: their bits are no more than a tenth of the bitmaps of a rank's rows
/// and columns, which they relieve, and than four bitmaps of its own vertices. None on one grid column, whose
/// ranks have whole rows.
/// @param few  no more than one for `vertices_of_few_hubs`
std::int64_t most_hubs(std::int64_t searched_vertices, GridShape shape, bool few = false);

/// Collective. What owners keep of the hubs, of a graph whose rows are there.
Hubs keep_hubs(const Graph& graph, const Grid& grid, NamedHubs named);

}  // namespace isobath
