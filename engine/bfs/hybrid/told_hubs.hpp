// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "bfs/hybrid/bits_or_lists.hpp"
#include "bfs/hybrid/steps/hub_bits.hpp"
#include "comm/communicator.hpp"
#include "graph/graph.hpp"
#include "graph/hubs.hpp"
#include "graph/layout.hpp"

namespace isobath {

/// Which hubs are visited, as far as all ranks know. Expand has brought what is visited (bottom-up), or the
/// frontier (top-down), to all ranks of a grid column, so each of them knows the hubs of the column that are
/// visited, and tells these to its grid row: a bit for each of its hubs; or a list of the newly
/// visited, or of the unvisited, where that is shorter. Newly: since they were told last, which may be levels
/// ago. Every grid row hears of all grid columns the same, so afterwards all ranks know the same.
class ToldHubs {
 public:
  /// @param hubs, row_comm  outlive this
  ToldHubs(const Hubs& hubs, const GridLayout& layout, const Communicator& row_comm);

  /// Before a search: none is known to be visited.
  void reset();
  /// By hub number; behind them a bit that is never set.
  const Word* visited() const { return visited_.data(); }
  bool are_all_visited() const { return num_visited_ == hubs_.count; }
  /// How many own hubs are visited. @param visited  own vertices
  std::int64_t own_visited_hubs(const Word* visited) const;
  /// Brings visited() up to date, collective along the grid row. Returns whether any hub is newly visited: if
  /// none is, owners would find nothing by their hubs in this level. Nothing is sent where `visited_hubs`
  /// says enough: that none is newly visited, or that all are visited.
  /// @param visited_cols  vertices of the grid column
  /// @param visited_hubs  the sum of own_visited_hubs() over all ranks, where it is known
  bool tell(const Word* visited_cols, std::optional<std::int64_t> visited_hubs);

  // Top-down, where there are families (HubFollowers): then no level leaves hubs untold, so that those not
  // yet told are those on the frontier, and it is enough to look through `columns`.
  /// As tell(), in the first level, whose vertex all ranks know: nothing is sent.
  bool note_start(const Location& start);
  /// As tell(), in a later level: visited_hubs is known. @param columns  the frontier of the grid column
  bool tell_frontier(std::span<const std::uint32_t> columns, std::int64_t visited_hubs);

 private:
  std::span<Word> piece(std::size_t col);
  bool know_all();
  bool tell_column();

  const Hubs& hubs_;
  std::size_t own_col_;
  CollectHubBits collect_;
  LargeArray<Word> visited_;      // as they were told last; by hub number, a piece for each grid column
  std::int64_t num_visited_ = 0;  // of these
  std::vector<Word> column_now_;  // the piece of this grid column as it is now, to be told
  BitsOrLists pieces_;            // what arrived from the grid row
};

}  // namespace isobath
