// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/arena.hpp"
#include "comm/communicator.hpp"
#include "comm/grid.hpp"

namespace isobath {

struct Graph;

/// An arc that ends at a leaf, at the rank that has its source among its columns.
/// @tparam Position  of 32 bits, or of 64 where positions are wide (PositionForm)
template <class Position>
struct LeafArc {
  Position target;    // position in the blocks of the grid row, laid one after the other
  std::uint32_t col;  // place of the leaf's neighbour; the missing one's where that is a leaf, too
  float weight;
};

/// How far leaves are, on several grid columns: the rank of the grid row that has the neighbour among its
/// columns tells the owner, 4 bytes a leaf, in an order that both have known since construction.
struct ToldLeaves {
  LargeArray<std::uint32_t> col;   // here: place of the neighbour of a leaf of the grid row, by owner of it
  LargeArray<float> weight;        // likewise
  LargeArray<std::uint32_t> leaf;  // own leaf, in the order in which the ranks of the grid row tell
  ExchangeCounts counts;           // along the grid row
};

/// Collective along the grid row. Gives the leaves of a weighted graph on several ranks their weights, each
/// the least of its copies, and on several grid columns makes graph.told_leaves.
/// @param arcs  all that end at leaves, here
template <class Position>
void weigh_leaves(Graph& graph, std::vector<LeafArc<Position>> arcs, const Grid& grid);

}  // namespace isobath
