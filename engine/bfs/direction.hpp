// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "bfs/plan.hpp"

namespace isobath {

/// When to search bottom-up (docs/adr/0013). A pure function of counts over all ranks.
///
/// Bottom-up when the frontier holds more than searched/beta vertices, or when its arcs exceed
/// stored_arcs/alpha (the rule of Beamer et al., SC 2012, with all arcs in the place of the unexplored ones).
/// The first test spares counting the arcs of a large frontier; `frontier_arcs` is only asked for when it
/// fails.
struct DirectionPolicy {
  double alpha;
  double beta;
  std::int64_t searched_vertices;
  std::int64_t stored_arcs;

  bool is_wide(std::int64_t frontier_vertices) const {
    return static_cast<double>(frontier_vertices) * beta > static_cast<double>(searched_vertices);
  }
  Direction choose(std::int64_t frontier_arcs) const {
    return static_cast<double>(frontier_arcs) * alpha > static_cast<double>(stored_arcs)
               ? Direction::bottom_up
               : Direction::top_down;
  }
};

}  // namespace isobath
