// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm/grid.hpp"
#include "comm/messages/eager_messages.hpp"

namespace isobath {

/// Sums of a few numbers over all ranks of a grid: along the grid rows, then along the grid columns, so that
/// a rank meets the others of its row and of its column, not all. Among few ranks everybody tells everybody
/// (EagerMessages) and adds, which waits once; among many it is the library's reduction.
class GridSums {
 public:
  /// @param grid  outlives this
  explicit GridSums(const Grid& grid) : row_(grid.row_comm), column_(grid.col_comm) {}

  /// Collective. Each value summed over all ranks, on every rank. At least one.
  void sum(std::span<std::int64_t> values) {
    row_.sum(values);
    column_.sum(values);
  }

 private:
  /// Ranks that sum together.
  class Group {
   public:
    explicit Group(const Communicator& comm);
    void sum(std::span<std::int64_t> values);

   private:
    const Communicator& comm_;
    std::optional<EagerMessages> eager_;
    std::vector<std::int64_t> first_;  // value, once for each rank
    std::vector<std::span<const std::byte>> others_;
  };

  Group row_;
  Group column_;
};

}  // namespace isobath
