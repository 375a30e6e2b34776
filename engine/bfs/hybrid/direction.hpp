// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "bfs/constructed_graph.hpp"
#include "bfs/hybrid/frontier.hpp"
#include "bfs/plan.hpp"
#include "comm/messages/grid_sums.hpp"

namespace isobath {

/// When to search bottom-up (docs/adr/0013). A pure function of counts over all ranks.
///
/// Bottom-up where one of these holds, else top-down:
///
///   frontier vertices > searched / beta                       is_wide()
///   frontier vertices > (searched / 16 + 4 unvisited) / beta  is_wide(): estimated work of a bottom-up
///   level,
///                                                             1/16 for the bit of each row and 4 neighbours
///                                                             for each unvisited row
///   frontier arcs > all arcs / alpha                          by_arcs(): Beamer et al. (SC 2012), with all
///                                                             arcs in the place of the unexplored ones
///
/// The last direction is no input, as it is in Beamer's rule: the same tests switch to bottom-up and back.
///
/// by_arcs() is asked only where is_wide() is false: that spares a search on one rank the counting of a large
/// frontier's arcs. Several ranks sum them with the vertices (LevelDirection::sums_of_found).
///
/// Arcs of the frontier and all arcs are counted alike, by end points: duplicates and arcs to leaves are
/// among them, which no rank stores. So a list that names every edge twice, once from either end, gives the
/// same directions.
struct DirectionPolicy {
  double alpha;
  double beta;
  std::int64_t searched_vertices;
  std::int64_t all_arcs;  // end points of the searched vertices

  bool is_wide(std::int64_t frontier_vertices, std::int64_t unvisited_vertices) const {
    const auto all = static_cast<double>(searched_vertices);
    const double touched = all / 16 + static_cast<double>(unvisited_vertices) * 4;
    return static_cast<double>(frontier_vertices) * beta > std::min(all, touched);
  }
  Direction by_arcs(std::int64_t frontier_arcs) const {
    return static_cast<double>(frontier_arcs) * alpha > static_cast<double>(all_arcs) ? Direction::bottom_up
                                                                                      : Direction::top_down;
  }
};

/// What all ranks know of a frontier before its level.
struct FrontierSums {
  std::int64_t vertices;
  // End points. Not summed, 0, on one rank, which counts them when it needs them, and where the direction is
  // fixed. Too few where a rank sent 0 (LevelDirection::sums_of_found): then choose() does not read them.
  std::int64_t arcs;
  // Of the frontier and of all levels before; nothing before the first level, and without hubs.
  std::optional<std::int64_t> visited_hubs;
};

/// The direction of a level, from sums over all ranks, so that all choose the same without another message.
/// sums_of_found() sends; choose() does not.
class LevelDirection {
 public:
  /// @param built  outlives this
  LevelDirection(const ConstructedGraph& built, const PlanOptions& options);

  /// Collective: the frontier that a level left.
  /// @param found             by this rank in the level
  /// @param unvisited_before  the level, of all ranks
  /// @param own_visited_hubs  where owners keep hubs
  FrontierSums sums_of_found(const Frontier& frontier, std::int64_t found, std::int64_t unvisited_before,
                             std::optional<std::int64_t> own_visited_hubs);
  /// Of the level that searches from the frontier. @param unvisited_vertices  before it, of all ranks
  Direction choose(const FrontierSums& sums, std::int64_t unvisited_vertices, const Frontier& frontier) const;

 private:
  const ConstructedGraph& built_;
  DirectionRule rule_;
  // Whether the reduction of a level also sums how many hubs are visited. Set by switches and shape alone,
  // not by whether this graph has hubs, so that the bytes of a reduction follow from the command line.
  bool sums_hubs_;
  DirectionPolicy policy_;
  std::int64_t largest_degree_;  // of the own searched vertices; read on one rank
  GridSums sums_;
};

}  // namespace isobath
