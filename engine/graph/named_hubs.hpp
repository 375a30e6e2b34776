// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "graph/families.hpp"
#include "graph/numbering.hpp"
#include "partition/block_partition.hpp"
#include "partition/grid_shape.hpp"

namespace isobath {

class Communicator;

/// Of few hubs each has so many searched vertices at least, about as many as where a hundred thousand ranks
/// are: to see on few ranks what a search is there.
inline constexpr std::int64_t vertices_of_few_hubs = 4096;

/// The numbers of the vertices of highest degree over all ranks, so that a bit for each fits on every rank.
/// Hubs have a *hub number*: those of rank 0 first, each rank's by ascending working number, those of a grid
/// column filled up to whole words of a bitmap. So the hubs of a grid column are a piece of the hub bitmap,
/// in the order of its columns.
struct HubNumbers {
  std::int64_t count = 0;                   // over all ranks
  std::vector<std::uint32_t> offset;        // first hub number of every rank, and the end
  std::vector<std::uint32_t> first_of_col;  // of every grid column, and the end; whole words
  std::vector<std::uint32_t> count_of_col;  // how many a grid column has
  LargeArray<std::int64_t> original;        // hub number -> original number; -1 where it is filling

  bool empty() const { return count == 0; }
  std::size_t num_words() const { return empty() ? 0 : offset.back() / word_bits; }
  /// Hub number of nobody; its bit, one behind the last word, is never set.
  std::uint32_t missing() const { return offset.back(); }
};

/// Who the hubs are, as all ranks know it before vertices have their last numbers.
struct NamedHubs {
  HubNumbers numbers;
  /// Hub numbers by falling degree, ascending originals where it is the same. Where a hub stands here is its
  /// *place*, and of the hubs among its neighbours a vertex keeps those of the least places.
  std::vector<std::uint32_t> by_degree;
  std::int64_t least_endpoints = 0;  // of a hub
  Families families;                 // of own vertices by first hub, once they are numbered by it; else none

  bool empty() const { return numbers.empty(); }
};

/// How many vertices may be hubs at most: their bits are no more than a tenth of the bitmaps of a rank's rows
/// and columns, which they relieve, and than four bitmaps of its own vertices. None on one grid column, whose
/// ranks have whole rows.
/// @param few  no more than one for `vertices_of_few_hubs`
std::int64_t most_hubs(std::int64_t searched_vertices, GridShape shape, bool few = false);

/// Collective. The hubs: all searched vertices of at least so many end points that no more than most_hubs()
/// have them; no rank has any where there are none.
/// @param numbering  by degree class, or by original number
/// @param in_front   the own hubs are to be numbered anew, before all others: by_falling_degree(). Otherwise
///                   they keep their numbers
NamedHubs name_hubs(const Numbering& numbering, const BlockPartition& blocks, const Communicator& world,
                    GridShape shape, bool few, bool in_front);

}  // namespace isobath
