// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_descent.hpp"

#include <algorithm>
#include <cstring>

namespace isobath {

GridDescent::GridDescent(const Graph& graph, const Grid& grid, TentativePaths& paths)
    : graph_(graph),
      grid_(grid),
      paths_(paths),
      streams_(make_pull_streams(graph.weighted, graph.layout.num_rows())),
      sweep_(sweep_for(best_instruction_set())),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)) {
  if (graph.layout.shape.cols > 1) exchange_ = make_exchange(ExchangeKind::alltoallv, grid.row_comm);
}

GridDescent::~GridDescent() = default;

/// What a sweep lowered, and its owners adopted, is all that the next has to spread: nothing below the least
/// of it can change any more, and no arc out of there matters.
void GridDescent::descend(PathTurn turn, SearchObserver& observer, int& round) {
  LoweredVertices lowered = tell(observer);
  while (lowered.count > 0) {
    observer.level_started(round, Direction::top_down, lowered.count);
    observer.phase(Phase::descend);
    const SweepCounts counts = sweep_all(sweep_, paths_.sweep_task(streams_, turn.least_source, turn.settled),
                                         graph_.layout.num_rows());
    fold(observer);
    lowered = tell(observer);
    observer.level_finished(round++, counts.arcs_relaxed);
    turn.least_source = lowered.least;
    turn.settled = std::max(turn.settled, lowered.least);
  }
}

/// What was lowered of the rows of others goes to their owners.
void GridDescent::fold(SearchObserver& observer) {
  if (!exchange_) return;
  const GridLayout& layout = graph_.layout;
  const SweepTask here = paths_.sweep_task(streams_, 0, 0);
  std::vector<std::span<const std::byte>> parcels;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    std::vector<Offer>& offers = outgoing_[static_cast<std::size_t>(piece)];
    offers.clear();
    if (piece != layout.grid_col()) {
      const std::uint32_t first = layout.row_offset[static_cast<std::size_t>(piece)];
      const std::uint32_t end = layout.row_offset[static_cast<std::size_t>(piece) + 1];
      paths_.take_lowered_rows(first, end, [&](std::uint32_t row) {
        offers.push_back({row - first, graph_.column_original[here.parent[row]], here.distance[row]});
      });
    }
    parcels.push_back(std::as_bytes(std::span<const Offer>(offers)));
  }
  exchange_->run(
      parcels,
      [&](int grid_col, std::span<const std::byte> bytes) {
        arrived_.resize(bytes.size() / sizeof(Offer));
        std::memcpy(arrived_.data(), bytes.data(), bytes.size());
        const std::int64_t base = layout.blocks.first(layout.shape.rank_at(0, grid_col));
        for (const auto& [target, source, distance] : arrived_) {
          paths_.lower_from_original(target, distance, base + source);
        }
      },
      observer);
}

/// Own vertices lowered since the last call tell the whole grid column. @returns those of all ranks
LoweredVertices GridDescent::tell(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const std::span<const float> distance = paths_.distances();
  LoweredVertices mine;
  lowered_.clear();
  paths_.take_lowered([&](std::uint32_t own) {
    lowered_.push_back({own, distance[own]});
    paths_.known()[layout.own_col() + own] = distance[own];
    mine.least = std::min(mine.least, distance[own]);
  });
  mine.count = std::ssize(lowered_);
  observer.phase(Phase::reduce);
  const LoweredVertices all = over_all_ranks(grid_, mine, of_column_);
  if (all.count == 0 || layout.shape.rows == 1) return all;
  observer.phase(Phase::expand);
  std::vector<std::int64_t> bytes;
  std::int64_t total = 0;
  for (int row = 0; row < layout.shape.rows; ++row) total += bytes.emplace_back(bytes_of(row));
  told_.resize(static_cast<std::size_t>(total));
  const std::span<const std::byte> told = form_of(layout.grid_row()) == Form::list
                                              ? std::as_bytes(std::span<const NewDistance>(lowered_))
                                              : std::as_bytes(distance);
  grid_.col_comm.allgatherv<std::byte>(told, bytes, told_);
  const std::byte* at = told_.data();
  for (int row = 0; row < layout.shape.rows; ++row) {
    if (row != layout.grid_row()) take(row, at);
    at += bytes[static_cast<std::size_t>(row)];
  }
  return all;
}

/// All distances of a rank are 4 bytes each, a list of the lowered 8.
GridDescent::Form GridDescent::form_of(int grid_row) const {
  const std::int64_t lowered = of_column_[static_cast<std::size_t>(grid_row)].count;
  const std::int64_t searched =
      graph_.layout.searched[static_cast<std::size_t>(graph_.layout.block_of_col_piece(grid_row))];
  return 2 * lowered < searched ? Form::list : Form::all_distances;
}

std::int64_t GridDescent::bytes_of(int grid_row) const {
  const auto piece = static_cast<std::size_t>(graph_.layout.block_of_col_piece(grid_row));
  return form_of(grid_row) == Form::list
             ? of_column_[static_cast<std::size_t>(grid_row)].count *
                   static_cast<std::int64_t>(sizeof(NewDistance))
             : std::int64_t{graph_.layout.searched[piece]} * static_cast<std::int64_t>(sizeof(float));
}

void GridDescent::take(int grid_row, const std::byte* bytes) {
  float* const known = paths_.known() + graph_.layout.col_offset[static_cast<std::size_t>(grid_row)];
  const auto size = static_cast<std::size_t>(bytes_of(grid_row));
  if (size == 0) return;  // nothing was lowered, or the rank has no vertices
  if (form_of(grid_row) == Form::all_distances) {
    std::memcpy(known, bytes, size);
    return;
  }
  for (std::size_t at = 0; at < size; at += sizeof(NewDistance)) {
    NewDistance told;
    std::memcpy(&told, bytes + at, sizeof told);
    known[told.own] = told.distance;
  }
}

}  // namespace isobath
