// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "bfs/hybrid/bits_or_lists.hpp"
#include "bfs/hybrid/gathered_pieces.hpp"
#include "bfs/switches.hpp"
#include "comm/communicator.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Expand (Buluc and Madduri, SC 2011): what owners know of their vertices reaches all ranks of their grid
/// column, as columns. On one grid row the own vertices are the columns, and nothing travels.
///
/// Where columns are hypersparse, most have no arc on this rank: the list of a frontier is without these.
/// Hubs stay in it, for every rank of a grid column tells its grid row of them (ToldHubs::tell_frontier).
class Expand {
 public:
  /// @param graph, col_comm  outlive this
  Expand(const Graph& graph, const Communicator& col_comm, FrontierForm form);

  /// Whether anything travels: there are others in the grid column.
  bool sends() const { return layout_.shape.rows > 1; }
  /// The frontier of the first level, which needs no message: the column of the start vertex, on the ranks
  /// that store its arcs.
  std::span<const std::uint32_t> start_column(const Location& start);
  /// Collective. The frontier of the grid column, of hypersparse columns without those that nobody here
  /// reads; valid until the next call; on one grid row it is the own list itself.
  std::span<const std::uint32_t> frontier(std::span<const std::uint32_t> own);
  /// Collective. What is visited in the grid column, by column. Behind the columns is a bit that is never
  /// set, that of GridLayout::missing_col(). Valid until the next call; on one grid row it is `own` itself.
  const Word* visited(std::span<const Word> own);

 private:
  // Forms of frontier_pieces_.
  static constexpr std::int64_t as_list = 0;
  static constexpr std::int64_t as_bits = 1;

  void gather_list(std::span<const std::uint32_t> own);
  void gather_bitmap(std::span<const std::uint32_t> own);
  void gather_packed(std::span<const std::uint32_t> own);
  bool pack_list(std::span<const std::uint32_t> own);
  void reserve_columns();
  std::size_t most_columns(std::size_t piece) const;
  void append_columns(std::size_t piece);
  void append_bits(std::span<const Word> words, std::uint32_t first_col);
  void leave_out_unread(std::size_t first);
  bool bitmap_is_smaller(std::int64_t list_bytes) const;
  void gather_visited_packed(std::span<const Word> own);

  const Graph& graph_;
  const GridLayout& layout_;
  const Communicator& col_comm_;
  FrontierForm form_;
  std::vector<std::int64_t> words_of_piece_;  // of the columns
  std::vector<std::uint32_t> columns_;        // of the frontier
  LargeArray<Word> visited_cols_;             // where there are others
  std::vector<std::uint32_t> listed_;         // the list that this rank sends
  std::vector<std::byte> packed_;             // the same, packed
  std::vector<Word> own_bits_;                // or as bits
  GatheredPieces frontier_pieces_;            // what arrived from the grid column
  BitsOrLists visited_pieces_;                // visited vertices of the grid column
  std::vector<Word> frontier_words_;          // the frontier as a bitmap of columns, or of one piece
};

}  // namespace isobath
