// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/piece_list.hpp"

namespace isobath {

/// One end of an edge as the other sees it.
struct WeightedArc {
  std::uint32_t to;
  float weight;
  friend bool operator==(const WeightedArc&, const WeightedArc&) = default;
};

/// The arcs of every row, one row after the other; targets ascend in a row and are distinct.
struct WeightedRows {
  LargeArray<std::uint64_t> start;  // rows + 1
  LargeArray<WeightedArc> arc;

  std::size_t num_rows() const { return start.size() == 0 ? 0 : start.size() - 1; }
  std::uint64_t num_arcs() const { return arc.size(); }
  std::span<const WeightedArc> of(std::size_t row) const {
    return {arc.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
};

/// An arc, and the row it goes to.
struct RowArc {
  std::uint32_t row;
  WeightedArc arc;
};

/// Rows of the arcs in `lists`, in any order; of several to one target the lightest stays. All threads work;
/// pieces of the lists go back to the system on the way.
WeightedRows make_rows(std::size_t num_rows, std::vector<PieceList<RowArc>> lists);

}  // namespace isobath
