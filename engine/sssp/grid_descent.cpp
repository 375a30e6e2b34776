// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_descent.hpp"

#include <algorithm>
#include <cstring>

namespace isobath {
namespace {

/// Parcels are multiples of 8 bytes, so that every one begins at one.
constexpr std::size_t whole_units(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

GridDescent::GridDescent(const Graph& graph, const Grid& grid, TentativePaths& paths)
    : graph_(graph),
      grid_(grid),
      paths_(paths),
      streams_(make_pull_streams(graph.weighted, graph.layout.num_rows())),
      sweep_(sweep_for(best_instruction_set())),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)),
      asked_(outgoing_.size()) {
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
  ask_for_parents(observer);
}

/// What was lowered of the rows of others goes to their owners: how far they are, but not by whom.
void GridDescent::fold(SearchObserver& observer) {
  if (!exchange_) return;
  const GridLayout& layout = graph_.layout;
  const SweepTask here = paths_.sweep_task(streams_, 0, 0);
  std::vector<std::span<const std::byte>> parcels;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    std::vector<std::byte>& parcel = outgoing_[static_cast<std::size_t>(piece)];
    parcel.clear();
    if (piece != layout.grid_col()) {
      const std::uint32_t first = layout.row_offset[static_cast<std::size_t>(piece)];
      const std::uint32_t vertices =
          layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(piece))];
      const std::span<std::uint16_t> lowered = paths_.lowered_rows(first, vertices);
      const Head head{count_lowered(lowered)};
      if (head.count > 0) {
        const std::int64_t bytes = bytes_of_distances(head.count, vertices);
        parcel.resize(whole_units(sizeof head + static_cast<std::size_t>(bytes)));
        std::memcpy(parcel.data(), &head, sizeof head);
        write_distances(lowered, head.count, {here.distance + first, vertices}, parcel.data() + sizeof head);
        std::fill(lowered.begin(), lowered.end(), 0);
      }
    }
    parcels.emplace_back(parcel);
  }
  exchange_->run(
      parcels,
      [&](int grid_col, std::span<const std::byte> bytes) {
        Head head{};
        std::memcpy(&head, bytes.data(), sizeof head);
        read_distances(
            bytes.data() + sizeof head, head.count, layout.own_searched(),
            [&](std::uint32_t own, float distance) { paths_.lower_from_rank(own, distance, grid_col); });
      },
      observer);
}

/// Who offered the distance that a vertex has in the end offered that row nothing smaller since, and still
/// has the arc by which it was lowered.
void GridDescent::ask_for_parents(SearchObserver& observer) {
  if (!exchange_) return;
  const GridLayout& layout = graph_.layout;
  observer.phase(Phase::adopt);
  for (auto& vertices : asked_) vertices.clear();
  paths_.for_each_parent_elsewhere(
      [&](std::uint32_t own, int grid_col) { asked_[static_cast<std::size_t>(grid_col)].push_back(own); });
  const std::vector<std::vector<std::uint32_t>> questions = exchange_questions(observer);
  observer.phase(Phase::adopt);  // the exchange told phases of its own
  ExchangeCounts counts;
  std::vector<std::uint32_t> answers;
  std::size_t num_questions = 0;
  for (const auto& of_piece : questions) num_questions += of_piece.size();
  answers.reserve(num_questions);
  const SweepTask here = paths_.sweep_task(streams_, 0, 0);
  for (std::size_t piece = 0; piece < asked_.size(); ++piece) {
    counts.send_counts.push_back(std::ssize(questions[piece]));
    counts.send_offsets.push_back(std::ssize(answers));
    counts.receive_counts.push_back(std::ssize(asked_[piece]));
    counts.receive_offsets.push_back(counts.receive_total);
    counts.receive_total += std::ssize(asked_[piece]);
    for (const std::uint32_t row : questions[piece]) {
      answers.push_back(graph_.column_original[here.parent[layout.row_offset[piece] + row]]);
    }
  }
  std::vector<std::uint32_t> answered(static_cast<std::size_t>(counts.receive_total));
  grid_.row_comm.alltoallv<std::uint32_t>(answers, counts, answered);
  auto answer = answered.begin();
  for (int col = 0; col < layout.shape.cols; ++col) {
    const std::int64_t base = layout.blocks.first(layout.shape.rank_at(0, col));
    for (const std::uint32_t own : asked_[static_cast<std::size_t>(col)]) {
      paths_.set_original_parent(own, base + *answer++);
    }
  }
}

/// As a list, or a bit for each of the vertices where that is shorter. @returns what arrived, by grid column
std::vector<std::vector<std::uint32_t>> GridDescent::exchange_questions(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const auto is_list = [](std::int64_t count, std::int64_t vertices) {
    return 4 * count <= bytes_of_bits(vertices);
  };
  std::vector<std::span<const std::byte>> parcels;
  for (std::size_t piece = 0; piece < asked_.size(); ++piece) {
    const std::vector<std::uint32_t>& vertices = asked_[piece];
    std::vector<std::byte>& parcel = outgoing_[piece];
    parcel.clear();
    if (!vertices.empty()) {
      const Head head{std::ssize(vertices)};
      const bool as_list = is_list(head.count, layout.own_searched());
      const std::size_t bytes = as_list ? sizeof(std::uint32_t) * vertices.size()
                                        : static_cast<std::size_t>(bytes_of_bits(layout.own_searched()));
      parcel.resize(whole_units(sizeof head + bytes));
      std::memcpy(parcel.data(), &head, sizeof head);
      if (as_list) {
        std::memcpy(parcel.data() + sizeof head, vertices.data(), bytes);
      } else {
        for (const std::uint32_t own : vertices) {
          parcel[sizeof head + own / 8] |= std::byte{1} << own % 8;
        }
      }
    }
    parcels.emplace_back(parcel);
  }
  std::vector<std::vector<std::uint32_t>> arrived(asked_.size());
  exchange_->run(
      parcels,
      [&](int grid_col, std::span<const std::byte> bytes) {
        const std::uint32_t vertices =
            layout.searched[static_cast<std::size_t>(layout.block_of_row_piece(grid_col))];
        std::vector<std::uint32_t>& rows = arrived[static_cast<std::size_t>(grid_col)];
        Head head{};
        std::memcpy(&head, bytes.data(), sizeof head);
        const std::byte* const from = bytes.data() + sizeof head;
        if (is_list(head.count, vertices)) {
          rows.resize(static_cast<std::size_t>(head.count));
          std::memcpy(rows.data(), from, sizeof(std::uint32_t) * rows.size());
          return;
        }
        rows.reserve(static_cast<std::size_t>(head.count));
        for (std::uint32_t v = 0; v < vertices; ++v) {
          if ((from[v / 8] >> v % 8 & std::byte{1}) != std::byte{0}) rows.push_back(v);
        }
      },
      observer);
  return arrived;
}

LoweredVertices GridDescent::tell(SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  const std::span<const float> distance = paths_.distances();
  const std::span<std::uint16_t> lowered = paths_.lowered_rows(layout.own_row(), layout.own_searched());
  float* const own_known = paths_.known() + layout.own_col();
  LoweredVertices mine;
  for_each_lowered(lowered, [&](std::uint32_t own) {
    ++mine.count;
    own_known[own] = distance[own];
    mine.least = std::min(mine.least, distance[own]);
  });
  observer.phase(Phase::reduce);
  const LoweredVertices all = over_all_ranks(grid_, mine, of_column_);
  if (all.count > 0 && layout.shape.rows > 1) {
    observer.phase(Phase::expand);
    std::vector<std::int64_t> bytes;
    std::int64_t total = 0;
    for (int row = 0; row < layout.shape.rows; ++row) {
      total += bytes.emplace_back(bytes_of_distances(lowered_of(row), searched_of(row)));
    }
    own_told_.resize(static_cast<std::size_t>(bytes[static_cast<std::size_t>(layout.grid_row())]));
    write_distances(lowered, mine.count, distance, own_told_.data());
    told_.resize(static_cast<std::size_t>(total));
    grid_.col_comm.allgatherv<std::byte>(own_told_, bytes, told_);
    const std::byte* at = told_.data();
    for (int row = 0; row < layout.shape.rows; ++row) {
      float* const known = paths_.known() + layout.col_offset[static_cast<std::size_t>(row)];
      if (row != layout.grid_row()) {
        read_distances(at, lowered_of(row), searched_of(row),
                       [&](std::uint32_t vertex, float told) { known[vertex] = told; });
      }
      at += bytes[static_cast<std::size_t>(row)];
    }
  }
  std::fill(lowered.begin(), lowered.end(), 0);
  return all;
}

std::int64_t GridDescent::searched_of(int grid_row) const {
  return graph_.layout.searched[static_cast<std::size_t>(graph_.layout.block_of_col_piece(grid_row))];
}

}  // namespace isobath
