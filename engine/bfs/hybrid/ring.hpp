// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/phase.hpp"
#include "bfs/hybrid/fold.hpp"
#include "bfs/hybrid/row_notes.hpp"
#include "bfs/hybrid/steps/bottom_up.hpp"
#include "comm/messages/message_tag.hpp"
#include "comm/messages/pending.hpp"
#include "graph/graph.hpp"

namespace isobath {

/// Bottom-up on several grid columns, without hubs, or where lists (Ask) are longer than bits. Each rank's
/// piece of the visited bitmap travels once round the grid row. The rank that holds a piece looks for parents
/// of its unvisited vertices among its own columns, and sets the bits of those found before it passes the
/// piece on. So every target is found once (rotation: Beamer et al., 2013; ring: Ueno et al., 2017). A piece
/// travels in two halves, one each way where communication overlaps computation: while one half is searched,
/// the other is on its way. Whose halves are on which of three grid columns, with overlap (without, second
/// halves go as the first):
///
///   step   column 0   column 1   column 2      first half, second half
///   0      0 0        1 1        2 2           own
///   1      2 1        0 2        1 0           from the left, from the right
///   2      1 2        2 0        0 1
///
/// and then home. Where rows are hypersparse (graph/hypersparse.hpp), those of a half that look for a parent
/// are listed and asked by name, as Ask does; else the half is searched by the bottom-up steps.
class Ring {
 public:
  /// @param graph, row_comm, notes, fold  outlive this
  Ring(const Graph& graph, const Communicator& row_comm, bool overlap, BottomUpSteps steps, RowNotes& notes,
       Fold& fold);

  /// Collective along the grid row. Proposes parents of all that are found; those of own vertices found here
  /// are adopted. Returns the arcs scanned.
  /// @param own  own words that are visited; with all that were found, when it returns
  std::int64_t rotate(const Word* visited_cols, std::span<Word> own, PhaseObserver& observer);

 private:
  /// Half a piece of the row bitmap on its way round the grid row.
  struct Half {
    LargeArray<Word> on_arrival;  // visited: before the level, and found by ranks that it passed
    LargeArray<Word> on_leaving;  // the same with what was found for it here
    PendingTransfer transfer;
  };
  /// Where half a piece lies in the row bitmap, in words.
  struct HalfRange {
    std::size_t first;
    std::size_t words;
  };

  static Half empty_half(const GridLayout& layout, const Communicator& row_comm, MessageTag tag);
  HalfRange range_of(std::size_t piece, std::size_t half) const;
  std::span<Word> own_half(std::span<Word> own, std::size_t half) const;
  std::size_t piece_at(std::size_t half, int step) const;
  std::int64_t search(std::size_t piece, std::size_t half, const Word* visited_cols);
  std::int64_t search_listed(std::size_t piece, std::size_t half, const Word* visited_cols);
  const Word* rows_to_pass_over(const HalfRange& range, const Half& here);
  void propose_found(std::size_t piece, std::size_t half);
  void hand_in(std::size_t piece, std::size_t half, std::span<const std::uint32_t> rows,
               std::span<const std::uint32_t> parent_cols);
  void pass_on(std::size_t half, int step);

  const Graph& graph_;
  bool overlap_;
  BottomUpSteps steps_;
  RowNotes& notes_;
  Fold& fold_;
  std::array<int, 2> shift_;  // of the halves at each step: 1 to the right, -1 to the left
  std::array<Half, 2> halves_;
  LargeArray<Word> passed_over_;     // rows of a half: visited, or not to be found here; where there are hubs
  std::vector<std::uint32_t> rows_;  // where rows are hypersparse: those of a half that ask
  std::vector<std::uint32_t> parent_col_;  // parallel to rows_
  // Found in second halves, by piece: they go behind those of first halves, so that packing need not sort.
  std::vector<std::vector<Proposal>> found_in_second_;
};

}  // namespace isobath
