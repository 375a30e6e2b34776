// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
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
/// first, and propose along their grid rows what they lowered of others; until nothing changes. What is told
/// and proposed arrives in windows of the owners' vertices where all at once would be too much.
/// docs/explanation/delta-stepping.md
class GridDescent {
 public:
  /// Collective. @param graph, grid, paths  outlive this
  GridDescent(const Graph& graph, const Grid& grid, TentativePaths& paths);
  ~GridDescent();

  /// Whether sweeps read the lightest arcs of a row from streams.
  bool has_light_streams() const { return streams_.has_light; }

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

  /// Vertices [first, end) of every owner, or as many of these as it has.
  struct Window {
    std::uint32_t first;
    std::uint32_t end;
    std::uint32_t first_of(std::uint32_t searched) const { return std::min(first, searched); }
    std::uint32_t count_of(std::uint32_t searched) const {
      return std::min(end, searched) - first_of(searched);
    }
  };
  static constexpr Window everyone{0, 0xFFFFFFFF};
  static std::vector<Window> all_windows(std::uint32_t most, std::uint32_t vertices);

  void fold(SearchObserver& observer);
  std::vector<Window> windows_of_offers(SearchObserver& observer) const;
  std::int64_t largest_offers() const;
  void offer(Window window, SearchObserver& observer);
  std::pair<std::uint32_t, std::uint32_t> rows_of(int grid_col, Window window) const;
  void write_offers(int grid_col, Window window, std::vector<std::byte>& parcel);
  void tell_grid_column();
  void tell_window(Window window, std::span<const std::int64_t> lowered_of);
  void ask_for_parents(SearchObserver& observer);
  std::vector<std::vector<std::uint32_t>> exchange_questions(SearchObserver& observer);
  template <class Answer>
  void answer(const std::vector<std::vector<std::uint32_t>>& questions);
  std::uint32_t told_by(int grid_row) const;
  std::uint32_t offered_to(int grid_col) const;

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
