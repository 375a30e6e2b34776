// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/direction.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "base/expects.hpp"

namespace isobath {
namespace {

std::int64_t largest_degree(const LargeArray<std::uint32_t>& degree) {
  std::uint32_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t t = 0; t < degree.size(); ++t) largest = std::max(largest, degree[t]);
  return largest;
}

}  // namespace

LevelDirection::LevelDirection(const ConstructedGraph& built, const PlanOptions& options)
    : built_(built),
      rule_(options.switches.direction),
      sums_hubs_(options.switches.hub_pass && options.shape.cols > 1),
      policy_{options.alpha, options.beta, built.facts.searched_vertices, built.facts.searched_endpoints},
      largest_degree_(largest_degree(built.graph.numbering.degree)),
      sums_(built.grid) {}

/// One sum of up to three numbers.
///
/// Vertices. Arcs: whether choose() asks for them is known only after the vertices are summed, and a second
/// sum would cost more than counting. So every rank counts its own beforehand, unless the vertices that it
/// found alone make the frontier wide. Then it sends 0: the sum over all can only be larger, and what is left
/// unvisited smaller, so that every rank finds the frontier wide, and does not read the arcs. Visited hubs:
/// from their sum all ranks know before a hub pass that no hub is newly visited, or that all are; then no
/// rank sends which. A search on one rank sums nothing, and counts arcs in choose().
FrontierSums LevelDirection::sums_of_found(const Frontier& frontier, std::int64_t found,
                                           std::int64_t unvisited_before,
                                           std::optional<std::int64_t> own_visited_hubs) {
  if (built_.world.size() == 1) return {found, 0, std::nullopt};
  std::array<std::int64_t, 3> sums{};
  std::size_t count = 0;
  sums[count++] = found;
  if (rule_ == DirectionRule::policy) {
    sums[count++] = policy_.is_wide(found, unvisited_before - found) ? 0 : frontier.arcs();
  }
  ISOBATH_EXPECTS(sums_hubs_ || !own_visited_hubs);
  if (sums_hubs_) sums[count++] = own_visited_hubs.value_or(0);  // the last number
  sums_.sum(std::span(sums).first(count));
  return {sums[0], rule_ == DirectionRule::policy ? sums[1] : 0,
          own_visited_hubs ? std::optional(sums[count - 1]) : std::nullopt};
}

/// A wide frontier is searched bottom-up, whatever its arcs; else its arcs decide. Several ranks have them
/// summed. One rank counts them only now, and tries two bounds before it counts all: top-down where even the
/// largest degree for every vertex gives too few arcs (graphs of high diameter have thousands of such
/// levels), bottom-up where those of heavy vertices alone are enough.
Direction LevelDirection::choose(const FrontierSums& sums, std::int64_t unvisited_vertices,
                                 const Frontier& frontier) const {
  if (rule_ == DirectionRule::top_down) return Direction::top_down;
  if (rule_ == DirectionRule::bottom_up) return Direction::bottom_up;
  if (policy_.is_wide(sums.vertices, unvisited_vertices)) return Direction::bottom_up;
  if (built_.world.size() > 1) return policy_.by_arcs(sums.arcs);
  if (policy_.by_arcs(sums.vertices * largest_degree_) == Direction::top_down) return Direction::top_down;
  if (!frontier.is_list() && policy_.by_arcs(frontier.heavy_arcs()) == Direction::bottom_up) {
    return Direction::bottom_up;
  }
  return policy_.by_arcs(frontier.arcs());
}

}  // namespace isobath
