// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_paths.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "sssp/sweep.hpp"

namespace isobath {
namespace {

/// So wide that a vertex has several light arcs: every bucket costs messages, and relaxing an arc twice is
/// cheaper than they are.
constexpr double light_arcs_of_vertex = 8;

/// The mean weight over the mean length of a row is where about one arc of a vertex is light.
double chosen_delta(const Graph& graph, const Communicator& world) {
  double weights = 0;
  for (const WeightedNeighbour& neighbour : graph.weighted.neighbour) {
    weights += double{neighbour.weight};
  }
  double sums[] = {weights, static_cast<double>(graph.num_arcs()),
                   static_cast<double>(graph.layout.own_searched())};
  world.sum(std::span<double>(sums));
  const double arcs = std::max(1.0, sums[1]);
  const double delta = light_arcs_of_vertex * sums[0] / arcs * sums[2] / arcs;
  return delta > 0 ? delta : 1;
}

}  // namespace

GridPaths::GridPaths(const Graph& graph, const Communicator& world, const Grid& grid, double delta)
    : graph_(graph),
      world_(world),
      grid_(grid),
      delta_(delta > 0 ? delta : chosen_delta(graph, world)),
      distance_(graph.layout.own_searched()),
      parent_(graph.layout.own_searched()),
      proposed_(graph.layout.num_rows()),
      is_pending_(graph.layout.own_words()),
      is_settled_(graph.layout.own_words()),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)) {
  if (graph.layout.shape.cols > 1) exchange_ = make_exchange(ExchangeKind::alltoallv, grid.row_comm);
}

GridPaths::~GridPaths() = default;

void GridPaths::search(const Location& root, SearchObserver& observer) {
  observer.phase(Phase::reset);
  reset(root);
  for (;;) {
    observer.phase(Phase::reduce);
    const double least = world_.min(least_pending());
    if (least == std::numeric_limits<double>::infinity()) return;
    settle_bucket(least, observer);
  }
}

void GridPaths::reset(const Location& root) {
  std::fill(distance_.begin(), distance_.end(), unreached);
  std::fill(proposed_.begin(), proposed_.end(), unreached);
  pending_.clear();
  round_ = 0;
  if (root.owner != world_.rank()) return;
  const auto working = static_cast<std::uint32_t>(root.working);
  adopt(working, 0, raw(graph_.layout.blocks.to_global(world_.rank(), graph_.numbering.original[working])));
}

/// Only a smaller distance changes the parent: arcs that add nothing make no cycles.
void GridPaths::adopt(std::uint32_t target, float distance, std::int64_t parent) {
  if (!(distance < distance_[target])) return;
  distance_[target] = distance;
  parent_[target] = parent;
  if (test_bit(is_pending_, target)) return;
  set_bit(is_pending_, target);
  pending_.push_back(target);
}

double GridPaths::least_pending() const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : pending_) least = std::min(least, static_cast<double>(distance_[v]));
  return least;
}

/// The bucket that begins at `least`: light arcs until no vertex falls into it any more, then the heavy arcs
/// of all that did, once.
void GridPaths::settle_bucket(double least, SearchObserver& observer) {
  settled_.clear();
  std::fill(is_settled_.begin(), is_settled_.end(), 0);
  for (;;) {
    take_pending(least);
    const std::int64_t active = world_.sum(std::ssize(active_));
    if (active == 0) break;
    observer.level_started(round_, Direction::top_down, active);
    observer.level_finished(round_++, relax(active_, Arcs::light, observer));
    observer.phase(Phase::reduce);
  }
  relax(settled_, Arcs::heavy, observer);
}

void GridPaths::take_pending(double least) {
  const double end = least + delta_;
  active_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t v : pending_) {
    const double distance = distance_[v];
    if (distance > least && distance >= end) {  // the first also where delta is lost in rounding
      pending_[kept++] = v;
      continue;
    }
    is_pending_[v / word_bits] &= ~(Word{1} << (v % word_bits));
    active_.push_back(v);
    if (test_bit(is_settled_, v)) continue;
    set_bit(is_settled_, v);
    settled_.push_back(v);
  }
  pending_.resize(kept);
}

/// Own vertices and their distances reach the whole grid column.
std::span<const GridPaths::ActiveColumn> GridPaths::expand(std::span<const std::uint32_t> vertices,
                                                           SearchObserver& observer) {
  own_columns_.clear();
  for (const std::uint32_t v : vertices) own_columns_.push_back({graph_.layout.own_col() + v, distance_[v]});
  if (graph_.layout.shape.rows == 1) return own_columns_;
  observer.phase(Phase::expand);
  columns_ = grid_.col_comm.allgatherv<ActiveColumn>(own_columns_);
  return columns_;
}

std::int64_t GridPaths::relax(std::span<const std::uint32_t> vertices, Arcs arcs, SearchObserver& observer) {
  const std::span<const ActiveColumn> columns = expand(vertices, observer);
  observer.phase(Phase::relax);
  const std::int64_t relaxed = propose(columns, arcs);
  fold(observer);
  return relaxed;
}

/// @returns arcs relaxed
std::int64_t GridPaths::propose(std::span<const ActiveColumn> columns, Arcs arcs) {
  const GridLayout& layout = graph_.layout;
  const auto delta = static_cast<float>(delta_);
  for (auto& proposals : outgoing_) proposals.clear();
  std::int64_t relaxed = 0;
#pragma omp parallel reduction(+ : relaxed)
  {
    std::vector<std::vector<DistanceProposal>> mine(outgoing_.size());
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto [col, distance] = columns[k];
      const std::span<const WeightedNeighbour> row = graph_.weighted.of(col);
      const auto middle = std::partition_point(
          row.begin(), row.end(), [&](const WeightedNeighbour& target) { return target.weight < delta; });
      const auto first = arcs == Arcs::light ? row.begin() : middle;
      const auto end = arcs == Arcs::light ? middle : row.end();
      relaxed += end - first;
      for (auto target = first; target != end; ++target) {
        const float offer = distance + target->weight;
        if (!lower_proposed(target->index, offer)) continue;
        const auto piece = static_cast<std::size_t>(
            std::upper_bound(layout.row_offset.begin(), layout.row_offset.end(), target->index) -
            layout.row_offset.begin() - 1);
        mine[piece].push_back({target->index - layout.row_offset[piece], graph_.column_original[col], offer});
      }
    }
#pragma omp critical
    for (std::size_t piece = 0; piece < outgoing_.size(); ++piece) {
      outgoing_[piece].insert(outgoing_[piece].end(), mine[piece].begin(), mine[piece].end());
    }
  }
  return relaxed;
}

/// Whether nothing as small was proposed from here. What was proposed before was adopted, or something
/// smaller was.
bool GridPaths::lower_proposed(std::uint32_t row, float distance) {
  const std::atomic_ref<float> proposed(proposed_[row]);
  float now = proposed.load(std::memory_order_relaxed);
  while (distance < now) {
    if (proposed.compare_exchange_weak(now, distance, std::memory_order_relaxed)) return true;
  }
  return false;
}

void GridPaths::fold(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const auto adopt_all = [&](int col, std::span<const DistanceProposal> proposals) {
    const std::int64_t base = layout.blocks.first(layout.shape.rank_at(0, col));
    for (const auto& [target, source, distance] : proposals) adopt(target, distance, base + source);
  };
  std::vector<DistanceProposal>& own = outgoing_[static_cast<std::size_t>(layout.grid_col())];
  adopt_all(layout.grid_col(), own);
  if (!exchange_) return;
  own.clear();
  std::vector<std::span<const std::byte>> parcels;
  for (const auto& proposals : outgoing_) {
    parcels.push_back(std::as_bytes(std::span<const DistanceProposal>(proposals)));
  }
  std::vector<DistanceProposal> proposals;
  const auto arrived = [&](int col, std::span<const std::byte> bytes) {
    proposals.resize(bytes.size() / sizeof(DistanceProposal));
    std::memcpy(proposals.data(), bytes.data(), bytes.size());
    adopt_all(col, proposals);
  };
  exchange_->run(parcels, arrived, observer);
}

}  // namespace isobath
