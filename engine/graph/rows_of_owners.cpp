// SPDX-License-Identifier: Apache-2.0
#include "graph/rows_of_owners.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "comm/exchange/message_groups.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/rounds.hpp"

namespace isobath {
namespace {

/// On the only grid column: what a column has here are the neighbours of its vertex that are own vertices.
/// The owner of the column has them in one row, in order among the others. So everybody cuts its rows by
/// piece, and tells the owner of each piece its part: all lengths, then neighbours in rounds, which arrive
/// where they are to stand.
class RowsOfOwners {
 public:
  RowsOfOwners(const Rows& rows, const GridLayout& layout, const Communicator& col_comm)
      : rows_(rows),
        layout_(layout),
        col_comm_(col_comm),
        groups_(col_comm, OwnMessages::stay),
        length_(pieces() * layout.own_searched()) {
    for (std::size_t piece = 0; piece < pieces(); ++piece) {  // which begins at a multiple of piece_bits
      piece_of_line_.resize(layout.col_offset[piece + 1] / piece_bits, static_cast<std::uint32_t>(piece));
    }
  }

  Rows told(LargeArray<std::uint32_t> room) {
    Rows result;
    // There are as many as the other way round: of the room they need not nothing is left when lengths come.
    result.neighbour = room_for(rows_.num_arcs(), std::move(room));
    count();
    result.start = starts();
    ISOBATH_EXPECTS(result.start[layout_.num_cols()] == rows_.num_arcs());
    tell(result);
    return result;
  }

 private:
  std::size_t pieces() const { return layout_.col_offset.size() - 1; }
  std::size_t piece_of(std::uint32_t col) const { return piece_of_line_[col / piece_bits]; }
  std::uint32_t& length(std::size_t piece, std::size_t row) {
    return length_[piece * layout_.own_searched() + row];
  }

  /// The first own row behind so many arcs.
  std::size_t row_behind(std::int64_t arcs) const {
    const std::span<const std::uint64_t> start = rows_.start.span().first(layout_.own_searched() + 1UL);
    const auto row = std::ranges::lower_bound(start, static_cast<std::uint64_t>(arcs)) - start.begin();
    return std::min<std::size_t>(static_cast<std::size_t>(row), layout_.own_searched());
  }
  /// Of rows [first, end), by thread: heavy rows are long, so threads share arcs.
  std::pair<std::size_t, std::size_t> rows_of_thread(std::size_t first, std::size_t end) const {
    const auto before = static_cast<std::int64_t>(rows_.start[first]);
    const auto arcs = static_cast<std::int64_t>(rows_.start[end]) - before;
    const auto [first_arc, end_arc] = static_share(arcs, thread_id(), num_threads());
    return {thread_id() == 0 ? first : std::min(end, row_behind(before + first_arc)),
            thread_id() + 1 == num_threads() ? end : std::min(end, row_behind(before + end_arc))};
  }

  /// How many of the neighbours of every own vertex are of each piece.
  void count() {
#pragma omp parallel
    {
      const auto [first, end] = rows_of_thread(0, layout_.own_searched());
      for (std::size_t row = first; row < end; ++row) {
        for (const std::uint32_t col : rows_.of(row)) ++length(piece_of(col), row);
      }
    }
  }

  /// Where every column begins, from the lengths that its owner tells. Of every piece, where its first column
  /// does.
  LargeArray<std::uint64_t> starts() {
    ExchangeCounts plan;
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
      plan.send_counts.push_back(layout_.own_searched());
      plan.send_offsets.push_back(static_cast<std::int64_t>(piece * layout_.own_searched()));
      plan.receive_offsets.push_back(plan.receive_total);
      plan.receive_counts.push_back(
          layout_.searched[static_cast<std::size_t>(layout_.block_of_col_piece(static_cast<int>(piece)))]);
      plan.receive_total += plan.receive_counts.back();
    }
    LargeArray<std::uint32_t> told(static_cast<std::size_t>(plan.receive_total));
    col_comm_.alltoallv<std::uint32_t>(length_.span(), plan, told.span());
    LargeArray<std::uint64_t> start(layout_.num_cols() + 1UL);
    std::uint64_t sum = 0;
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
      next_.push_back(static_cast<std::int64_t>(sum));
      const std::uint32_t* const length = told.data() + plan.receive_offsets[piece];
      const auto count = static_cast<std::size_t>(plan.receive_counts[piece]);
      for (std::size_t col = layout_.col_offset[piece]; col < layout_.col_offset[piece + 1]; ++col) {
        const std::size_t local = col - layout_.col_offset[piece];
        sum += local < count ? length[local] : 0;  // the others are filling
        start[col + 1] = sum;
      }
    }
    return start;
  }

  /// Neighbours, in rounds of about as many on every rank, so that what is on its way is a few megabytes.
  void tell(Rows& result) {
    constexpr std::int64_t arcs_per_round = std::int64_t{1} << 19;
    const auto arcs = static_cast<std::int64_t>(rows_.start[layout_.own_searched()]);
    const std::int64_t rounds = col_comm_.max((arcs + arcs_per_round - 1) / arcs_per_round);
    std::size_t first = 0;
    for (std::int64_t round = 0; round < rounds; ++round) {
      const std::size_t end = round + 1 == rounds ? layout_.own_searched()
                                                  : std::max(first, row_behind((round + 1) * arcs_per_round));
      const std::span<const std::uint32_t> cut = cut_rows(first, end);
      const auto own = static_cast<std::size_t>(layout_.grid_row());
      const std::span<const std::uint32_t> stay = cut.last(static_cast<std::size_t>(groups_.counts()[own]));
      std::ranges::copy(stay, result.neighbour.data() + next_[own]);
      next_[own] += std::ssize(stay);
      groups_.send_more(cut, result.neighbour.span(), next_);
      first = end;
    }
  }

  /// Neighbours of rows [first, end) by piece, as rows of the piece's owner: the own ones last.
  std::span<const std::uint32_t> cut_rows(std::size_t first_row, std::size_t end_row) {
    std::span<std::uint32_t> cut;
#pragma omp parallel
    {
      const auto [first, end] = rows_of_thread(first_row, end_row);
      groups_.group(
          [&, first = first, end = end](std::span<std::int64_t> at) {
            for (std::size_t piece = 0; piece < pieces(); ++piece) {
              for (std::size_t row = first; row < end; ++row) at[piece] += length(piece, row);
            }
          },
          [&](std::size_t count) { cut = room_.first(count); },
          [&, first = first, end = end](std::span<std::int64_t> at) {
            for (std::size_t row = first; row < end; ++row) {
              for (const std::uint32_t col : rows_.of(row)) {
                const std::size_t piece = piece_of(col);
                cut[static_cast<std::size_t>(at[piece]++)] = col - layout_.col_offset[piece];
              }
            }
          });
    }
    return cut;
  }

  const Rows& rows_;
  const GridLayout& layout_;
  const Communicator& col_comm_;
  MessageGroups groups_;
  std::vector<std::uint32_t> piece_of_line_;  // of every piece_bits columns
  LargeArray<std::uint32_t> length_;          // by piece, then own vertex
  std::vector<std::int64_t> next_;            // of every piece, where its next neighbours go
  RoundBuffer<std::uint32_t> room_;
};

}  // namespace

Rows rows_told_by_owners(const Rows& by_target, const GridLayout& layout, const Communicator& col_comm,
                         LargeArray<std::uint32_t> room) {
  return RowsOfOwners(by_target, layout, col_comm).told(std::move(room));
}

}  // namespace isobath
