// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/gathered_pieces.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "comm/communicator.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Bottom-up on several grid columns, where owners have found nearly all by their hubs: each sends its grid
/// row a list of the own vertices that are left, and every rank proposes a parent for those with a
/// visited neighbour there. An owner takes the first that arrives (Fold). Where the lists would be longer
/// than the bitmap, there is Ring.
class Ask {
 public:
  /// @param graph, row_comm, fold  outlive this; the graph has hubs
  Ask(const Graph& graph, const Communicator& row_comm, AskedRowsStep step, Fold& fold);

  /// Collective along the grid row. Everybody's list of own vertices that ask, ascending and packed, valid
  /// until the next call; nullptr where the ring sends less, or a list was not worth writing, which all ranks
  /// of the grid row see. Among few ranks short lists have travelled then, too (GatheredPieces).
  /// @param visited  own words, with what the owners found in this level
  const GatheredPieces* lists_if_shorter_than_ring(std::span<const Word> visited);
  /// Proposes parents for all that ask and have a visited neighbour here. Returns the arcs scanned.
  std::int64_t answer(const GatheredPieces& lists, const Word* visited_cols);

 private:
  // Forms of lists_.
  static constexpr std::int64_t by_list = 0;
  static constexpr std::int64_t by_ring = 1;  // it would be longer than the own part of the ring

  bool pack_askers(std::span<const Word> visited);
  void take_rows(std::size_t piece, std::span<const std::byte> list);
  void propose_parents(std::size_t piece);

  const Graph& graph_;
  AskedRowsStep step_;
  Fold& fold_;
  std::vector<std::uint32_t> rows_;  // that ask: own vertices while packing, rows of a piece in answer()
  std::vector<std::uint32_t> parent_col_;  // parallel to rows_
  std::vector<std::byte> packed_;          // the list of this rank
  GatheredPieces lists_;                   // those of the grid row
};

}  // namespace isobath
