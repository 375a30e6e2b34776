// SPDX-License-Identifier: Apache-2.0
#include "sssp/grid_descent.hpp"

#include <algorithm>
#include <cstring>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// Parcels are multiples of 8 bytes, so that every one begins at one.
constexpr std::size_t whole_units(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// Of one owner, at the most.
constexpr std::int64_t bytes_of_window(std::uint32_t vertices) {
  return std::int64_t{vertices} * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

/// @param most  vertices of one owner
std::vector<GridDescent::Window> GridDescent::all_windows(std::uint32_t most, std::uint32_t vertices) {
  ISOBATH_EXPECTS(vertices > 0);
  std::vector<Window> windows;
  for (std::uint64_t first = 0; first < most; first += vertices) {
    windows.push_back({static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(first + vertices, everyone.end))});
  }
  return windows;
}

GridDescent::GridDescent(const Graph& graph, const Grid& grid, TentativePaths& paths)
    : graph_(graph),
      grid_(grid),
      paths_(paths),
      streams_(graph.with_weighted_rows(
          [&](const auto& rows) { return make_pull_streams(rows, graph.weighted_rows.count()); })),
      sweep_(sweep_for(best_instruction_set())),
      outgoing_(static_cast<std::size_t>(graph.layout.shape.cols)),
      asked_(outgoing_.size()) {
  if (graph.layout.shape.cols > 1) exchange_ = make_exchange(ExchangeKind::eager, grid.row_comm);
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
                                         graph_.weighted_rows.count());
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
  for (const Window window : windows_of_offers(observer)) offer(window, observer);
}

/// Collective along the grid row. Everyone's at once, if none can arrive at more than a window may.
std::vector<GridDescent::Window> GridDescent::windows_of_offers(SearchObserver& observer) const {
  const GridLayout& layout = graph_.layout;
  std::uint32_t most = 0;
  for (int col = 0; col < layout.shape.cols; ++col) most = std::max(most, offered_to(col));
  const std::uint32_t window = graph_.weighted_window;
  if (most <= window) return {everyone};
  observer.phase(Phase::reduce);
  if (grid_.row_comm.max(largest_offers()) <= bytes_of_window(window)) return {everyone};
  return all_windows(most, window);
}

/// Bytes that this rank would send to one owner.
std::int64_t GridDescent::largest_offers() const {
  std::int64_t largest = 0;
  for (int col = 0; col < graph_.layout.shape.cols; ++col) {
    if (col == graph_.layout.grid_col()) continue;
    const auto [first, count] = rows_of(col, everyone);
    largest = std::max(largest, bytes_of_distances(count_lowered(paths_.lowered_rows(first, count)),
                                                   std::int64_t{offered_to(col)}));
  }
  return largest;
}

void GridDescent::offer(Window window, SearchObserver& observer) {
  const GridLayout& layout = graph_.layout;
  std::vector<std::span<const std::byte>> parcels;
  for (int piece = 0; piece < layout.shape.cols; ++piece) {
    std::vector<std::byte>& parcel = outgoing_[static_cast<std::size_t>(piece)];
    parcel.clear();
    if (piece != layout.grid_col()) write_offers(piece, window, parcel);
    parcels.emplace_back(parcel);
  }
  const std::uint32_t first_own = window.first_of(layout.own_searched());
  exchange_->run(
      parcels,
      [&](int grid_col, std::span<const std::byte> bytes) {
        Head head{};
        std::memcpy(&head, bytes.data(), sizeof head);
        read_distances(bytes.data() + sizeof head, head.count, window.count_of(layout.own_searched()),
                       [&](std::uint32_t vertex, float distance) {
                         paths_.lower_from_rank(first_own + vertex, distance, grid_col);
                       });
      },
      observer);
}

/// Of a window of an owner: the first place, and how many.
std::pair<std::uint32_t, std::uint32_t> GridDescent::rows_of(int grid_col, Window window) const {
  const PresentIndices& rows = graph_.weighted_rows;
  const auto piece = static_cast<std::size_t>(grid_col);
  const std::uint32_t begin = graph_.layout.row_offset[piece];
  const std::uint32_t vertices = offered_to(grid_col);
  if (window.count_of(vertices) == 0) return {rows.first_place(piece), 0};
  const std::uint32_t first = rows.place_of(begin + window.first);
  if (rows.are_all()) return {first, window.count_of(vertices)};
  const bool is_last = window.end >= vertices;
  return {first, (is_last ? rows.first_place(piece + 1) : rows.place_of(begin + window.end)) - first};
}

void GridDescent::write_offers(int grid_col, Window window, std::vector<std::byte>& parcel) {
  const auto [first, count] = rows_of(grid_col, window);
  const std::span<std::uint16_t> lowered = paths_.lowered_rows(first, count);
  const Head head{count_lowered(lowered)};
  if (head.count == 0) return;
  const std::uint32_t vertices = window.count_of(offered_to(grid_col));
  parcel.resize(
      whole_units(sizeof head + static_cast<std::size_t>(bytes_of_distances(head.count, vertices))));
  std::memcpy(parcel.data(), &head, sizeof head);
  std::byte* const out = parcel.data() + sizeof head;
  const float* const distance = paths_.sweep_task(streams_, 0, 0).distance + first;
  const PresentIndices& rows = graph_.weighted_rows;
  if (rows.are_all()) {
    write_distances(lowered, head.count, {distance, vertices}, out);
  } else {
    const std::uint32_t begin = graph_.layout.row_offset[static_cast<std::size_t>(grid_col)] + window.first;
    write_distances_of(
        head.count, vertices,
        [&](auto&& write) {
          rows.for_each_in(begin, begin + vertices,
                           [&, first = first](std::uint32_t row, std::uint32_t place) {
                             const std::uint32_t at = place - first;
                             if ((lowered[at / rows_of_entry] >> at % rows_of_entry & 1) != 0)
                               write(row - begin, distance[at]);
                           });
        },
        out);
  }
  std::fill(lowered.begin(), lowered.end(), 0);
}

/// Who offered the distance that a vertex has in the end offered that row nothing smaller since, and still
/// has the arc by which it was lowered.
void GridDescent::ask_for_parents(SearchObserver& observer) {
  if (!exchange_) return;
  observer.phase(Phase::adopt);
  for (auto& vertices : asked_) vertices.clear();
  paths_.for_each_parent_elsewhere(
      [&](std::uint32_t own, int grid_col) { asked_[static_cast<std::size_t>(grid_col)].push_back(own); });
  const std::vector<std::vector<std::uint32_t>> questions = exchange_questions(observer);
  observer.phase(Phase::adopt);  // the exchange told phases of its own
  if (graph_.positions.is_wide()) {
    answer<std::uint64_t>(questions);
  } else {
    answer<std::uint32_t>(questions);
  }
}

/// Questions name rows, answers the originals of their parents, counted from the first of the grid column.
/// @tparam Answer  of 32 bits, or of 64 where positions are wide (PositionForm)
template <class Answer>
void GridDescent::answer(const std::vector<std::vector<std::uint32_t>>& questions) {
  const GridLayout& layout = graph_.layout;
  ExchangeCounts counts;
  std::vector<Answer> answers;
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
      const std::uint32_t place = graph_.weighted_rows.place_of(layout.row_offset[piece] + row);
      answers.push_back(static_cast<Answer>(graph_.column_original[here.parent[place]]));
    }
  }
  std::vector<Answer> answered(static_cast<std::size_t>(counts.receive_total));
  grid_.row_comm.alltoallv<Answer>(answers, counts, answered);
  auto next = answered.begin();
  for (int col = 0; col < layout.shape.cols; ++col) {
    const std::int64_t base = layout.blocks.first(layout.shape.rank_at(0, col));
    for (const std::uint32_t own : asked_[static_cast<std::size_t>(col)]) {
      paths_.set_original_parent(own, base + static_cast<std::int64_t>(*next++));
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
  const std::span<std::uint16_t> lowered = paths_.lowered_rows(paths_.own_row(), layout.own_searched());
  float* const own_known = paths_.known() + paths_.own_col();
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
    tell_grid_column();
  }
  std::fill(lowered.begin(), lowered.end(), 0);
  return all;
}

/// All at once, if that is no more than a window may bring.
void GridDescent::tell_grid_column() {
  const std::uint32_t window = graph_.weighted_window;
  std::vector<std::int64_t> lowered_of;
  std::int64_t bytes = 0;
  std::uint32_t most = 0;
  for (int row = 0; row < graph_.layout.shape.rows; ++row) {
    lowered_of.push_back(of_column_[static_cast<std::size_t>(row)].count);
    bytes += bytes_of_distances(lowered_of.back(), told_by(row));
    most = std::max(most, told_by(row));
  }
  if (most <= window || bytes <= graph_.layout.shape.rows * bytes_of_window(window)) {
    tell_window(everyone, lowered_of);
    return;
  }
  const std::vector<Window> windows = all_windows(most, window);
  std::vector<std::int64_t> mine;
  for (const Window one : windows) {
    const std::uint32_t own = graph_.layout.own_searched();
    mine.push_back(
        count_lowered(paths_.lowered_rows(paths_.own_row() + one.first_of(own), one.count_of(own))));
  }
  const std::vector<std::int64_t> of_all = grid_.col_comm.allgatherv<std::int64_t>(mine);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    for (std::size_t row = 0; row < lowered_of.size(); ++row)
      lowered_of[row] = of_all[row * windows.size() + w];
    tell_window(windows[w], lowered_of);
  }
}

/// @param lowered_of  by grid row, how many in the window
void GridDescent::tell_window(Window window, std::span<const std::int64_t> lowered_of) {
  const GridLayout& layout = graph_.layout;
  std::vector<std::int64_t> bytes;
  std::int64_t total = 0;
  for (int row = 0; row < layout.shape.rows; ++row) {
    total += bytes.emplace_back(
        bytes_of_distances(lowered_of[static_cast<std::size_t>(row)], window.count_of(told_by(row))));
  }
  const auto own = static_cast<std::size_t>(layout.grid_row());
  const std::uint32_t first = window.first_of(layout.own_searched());
  const std::uint32_t count = window.count_of(layout.own_searched());
  own_told_.resize(static_cast<std::size_t>(bytes[own]));
  write_distances(paths_.lowered_rows(paths_.own_row() + first, count), lowered_of[own],
                  paths_.distances().subspan(first, count), own_told_.data());
  told_.resize(static_cast<std::size_t>(total));
  grid_.col_comm.allgatherv<std::byte>(own_told_, bytes, told_);
  const PresentIndices& cols = graph_.weighted_cols;
  float* const known = paths_.known();
  const std::byte* at = told_.data();
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    const std::uint32_t vertices = told_by(static_cast<int>(row));
    const std::uint32_t begin = layout.col_offset[row] + window.first_of(vertices);
    if (row != own) {
      read_distances(at, lowered_of[row], window.count_of(vertices), [&](std::uint32_t vertex, float told) {
        if (cols.contains(begin + vertex)) known[cols.place_of(begin + vertex)] = told;
      });
    }
    at += bytes[row];
  }
}

std::uint32_t GridDescent::told_by(int grid_row) const {
  return graph_.layout.searched[static_cast<std::size_t>(graph_.layout.block_of_col_piece(grid_row))];
}

std::uint32_t GridDescent::offered_to(int grid_col) const {
  return graph_.layout.searched[static_cast<std::size_t>(graph_.layout.block_of_row_piece(grid_col))];
}

}  // namespace isobath
