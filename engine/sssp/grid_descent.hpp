// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "comm/exchange/exchange.hpp"
#include "comm/grid.hpp"
#include "graph/graph.hpp"
#include "sssp/lowered_vertices.hpp"
#include "sssp/packed_distances.hpp"
#include "sssp/path_core.hpp"
#include "sssp/plan.hpp"
#include "sssp/sweep.hpp"
#include "sssp/tentative_paths.hpp"

namespace isobath {

/// Pulling on a grid: who was lowered tells its grid column, all ranks sweep over their rows, lightest arc
/// first, and propose along their grid rows what they lowered of others; until nothing changes.
/// docs/explanation/delta-stepping.md
class GridDescent {
 public:
  /// Collective. @param graph, grid, paths  outlive this
  GridDescent(const Graph& graph, const Grid& grid, TentativePaths& paths);
  ~GridDescent();

  /// Collective. From what the climb left.
  void descend(PathTurn turn, SearchObserver& observer, int& round);
  /// Collective. Own vertices lowered since the last call tell the whole grid column.
  /// @returns those of all ranks
  LoweredVertices tell(SearchObserver& observer);

 private:
  /// In front of what goes along the grid row. All parcels are multiples of 8 bytes.
  struct Head {
    std::int64_t count;
  };

  void fold(SearchObserver& observer);
  void ask_for_parents(SearchObserver& observer);
  std::vector<std::vector<std::uint32_t>> exchange_questions(SearchObserver& observer);
  std::int64_t lowered_of(int grid_row) const { return of_column_[static_cast<std::size_t>(grid_row)].count; }
  std::int64_t searched_of(int grid_row) const;

  const Graph& graph_;
  const Grid& grid_;
  TentativePaths& paths_;
  PullStreams streams_;
  Sweep sweep_;
  std::unique_ptr<Exchange> exchange_;  // along the grid row, where there are several columns
  std::vector<LoweredVertices> of_column_;
  std::vector<std::byte> own_told_;
  std::vector<std::byte> told_;                    // of the grid column
  std::vector<std::vector<std::byte>> outgoing_;   // by grid column
  std::vector<std::vector<std::uint32_t>> asked_;  // own vertices, by grid column that has their parent
};

}  // namespace isobath
