// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_paths.hpp"

#include <algorithm>
#include <vector>

#include "sssp/path_core.hpp"

namespace isobath {
namespace {

/// So wide that a vertex has several light arcs: every bucket costs messages, and relaxing an arc twice is
/// cheaper than they are.
constexpr double light_arcs_of_vertex = 8;
/// On the way to the core, where there is one.
constexpr double grid_core_buckets = 2;
/// One of so many vertices, those nearest to the hub of highest degree: all ranks climb, and sweeps over rows
/// of which a rank has a part look at more arcs.
constexpr std::size_t grid_core_share = 16;

/// The mean weight over the mean length of a row is where about one arc of a vertex is light. Of rank 0: see
/// GridPaths::choose_core.
double chosen_delta(const Graph& graph, const Communicator& world) {
  double weights = 0;
  graph.with_weighted_rows([&](const auto& rows) {
    for (const WeightedArc& neighbour : rows.neighbour) weights += double{neighbour.weight};
  });
  double sums[] = {weights, static_cast<double>(graph.num_arcs()),
                   static_cast<double>(graph.layout.own_searched())};
  world.sum(std::span<double>(sums));
  const double arcs = std::max(1.0, sums[1]);
  const double delta = light_arcs_of_vertex * sums[0] / arcs * sums[2] / arcs;
  return world.broadcast(delta > 0 ? delta : 1, 0);
}

}  // namespace

GridLeaves::GridLeaves(const Graph& graph, const Grid& grid)
    : graph_(graph),
      grid_(grid),
      told_(graph.told_leaves.col.size()),
      heard_(graph.told_leaves.leaf.size()),
      distance_(heard_.size()) {}

void GridLeaves::hear(const float* known, SearchObserver& observer) {
  if (graph_.layout.rows_are_complete()) return;
  observer.phase(Phase::fold);
  const ToldLeaves& leaves = graph_.told_leaves;
  const std::size_t told = told_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < told; ++i) told_[i] = known[leaves.col[i]] + leaves.weight[i];
  grid_.row_comm.alltoallv<float>(told_.span(), leaves.counts, heard_.span());
  const std::size_t heard = heard_.size();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < heard; ++i) distance_[leaves.leaf[i]] = heard_[i];
}

GridPaths::GridPaths(const Graph& graph, const Communicator& world, const Grid& grid, double delta)
    : graph_(graph),
      world_(world),
      delta_is_given_(delta > 0),
      steps_{.delta = delta_is_given_ ? delta : chosen_delta(graph, world)},
      paths_(graph),
      climb_(graph, grid, paths_),
      descent_(graph, grid, paths_),
      leaves_(graph, grid) {}

void GridPaths::search(const Location& start, float distance, SearchObserver& observer) {
  observer.phase(Phase::reset);
  paths_.reset();
  int round = 0;
  const PathTurn turn = climb_.climb(start, distance, steps_, observer, round);
  if (turn.least_source < unreached) {
    descent_.descend(turn, observer, round);
  } else {
    descent_.tell(observer);  // leaves hear of columns, and climbing tells those of other owners nothing
  }
}

/// Any radius is right: the mean of what the ranks would choose alone, each by the vertices it has reached.
/// MPI recommends, but does not promise, that all ranks get the same bits of a sum of floating-point numbers.
/// The steps decide which collective comes next, so all ranks take those of rank 0.
void GridPaths::choose_core() {
  std::vector<float> reached;
  bool has_hub = false;
  for (std::uint32_t v = 0; v < graph_.layout.own_searched(); ++v) {
    has_hub = has_hub || climb_.is_hub(v);
    if (paths_.distances()[v] < unreached) reached.push_back(paths_.distances()[v]);
  }
  double sums[] = {0, static_cast<double>(reached.size())};
  if (!reached.empty()) {
    const auto core = reached.begin() + static_cast<std::ptrdiff_t>(reached.size() / grid_core_share);
    std::nth_element(reached.begin(), core, reached.end());
    sums[0] = double{*core} * sums[1];
  }
  world_.sum(std::span<double>(sums));
  if (world_.any(has_hub) && sums[1] >= static_cast<double>(grid_core_share)) {
    steps_.core_radius = static_cast<float>(sums[0] / sums[1]);
    if (!delta_is_given_ && steps_.core_radius > 0)
      steps_.delta = double{steps_.core_radius} / grid_core_buckets;
  }
  steps_ = world_.broadcast(steps_, 0);
  climb_.choose_reach_of_hubs(steps_.core_radius);
}

}  // namespace isobath
