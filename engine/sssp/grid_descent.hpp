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
  /// How the distances of a rank's lowered vertices travel.
  enum class Form { list, all_distances };
  struct NewDistance {
    std::uint32_t own;  // working number
    float distance;
  };
  struct Offer {
    std::uint32_t target;  // working number at its owner
    std::uint32_t source;  // original number, counted from the first of the sender's grid column
    float distance;
  };

  void fold(SearchObserver& observer);
  Form form_of(int grid_row) const;
  std::int64_t bytes_of(int grid_row) const;
  void take(int grid_row, const std::byte* bytes);

  const Graph& graph_;
  const Grid& grid_;
  TentativePaths& paths_;
  PullStreams streams_;
  Sweep sweep_;
  std::unique_ptr<Exchange> exchange_;  // along the grid row, where there are several columns
  std::vector<NewDistance> lowered_;    // own
  std::vector<LoweredVertices> of_column_;
  std::vector<std::byte> told_;
  std::vector<std::vector<Offer>> outgoing_;  // by grid column of the target's owner
  std::vector<Offer> arrived_;
};

}  // namespace isobath
