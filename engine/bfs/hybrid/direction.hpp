// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "bfs/plan.hpp"

namespace isobath {

/// When to search bottom-up (docs/adr/0013). A pure function of counts over all ranks.
///
/// Bottom-up where one of these holds, else top-down:
///
///   frontier vertices > searched / beta                       is_wide()
///   frontier vertices > (searched / 16 + 4 unvisited) / beta  is_wide(): what a bottom-up level would touch,
///                                                             bits of rows, 16 at the price of a vertex, and
///                                                             four neighbours of each unvisited row
///   frontier arcs > all arcs / alpha                          by_arcs(): Beamer et al. (SC 2012), with all
///                                                             arcs in the place of the unexplored ones
///
/// by_arcs() is asked only where is_wide() is false: that spares one rank the counting of a large frontier's
/// arcs. Several ranks sum them with the vertices (GridSearch::sums_of_found).
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

}  // namespace isobath
