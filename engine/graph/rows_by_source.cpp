// SPDX-License-Identifier: Apache-2.0
#include "graph/rows_by_source.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "base/bitmap.hpp"
#include "base/threads.hpp"
#include "graph/dealt_arcs.hpp"
#include "graph/graph.hpp"
#include "graph/rows_of_owners.hpp"
#include "graph/with_arc.hpp"

namespace isobath {
namespace {

// On several grid columns rows are gone through in ascending order, so that those of a column are sorted
// already: those of a family follow each other (HubFollowers).

/// Every thread counts the arcs of its rows by column, and then puts them where they are to stand.
template <class AnyRows>
class CountedColumns {
 public:
  CountedColumns(const AnyRows& rows, const GridLayout& layout)
      : rows_(rows), num_rows_(layout.num_rows()), num_cols_(layout.num_cols()) {}

  Rows laid(LargeArray<std::uint32_t> room) {
    Rows result;
    result.start = LargeArray<std::uint64_t>(num_cols_ + 1);
    result.neighbour = room_for(rows_.num_arcs(), std::move(room));
    next_.resize(static_cast<std::size_t>(max_threads()));
    for (LargeArray<std::uint32_t>& next : next_) next = LargeArray<std::uint32_t>(num_cols_);
    arcs_of_share_.resize(next_.size());
#pragma omp parallel
    {
      const std::span<std::uint32_t> next = next_[static_cast<std::size_t>(thread_id())].span();
      const auto [first, end] = rows_of_thread();
      for (std::size_t row = first; row < end; ++row) {
        for (const std::uint32_t col : rows_.of(row)) ++next[col];
      }
#pragma omp barrier
      sum_up(result.start.span());
      place(first, end, next, result.neighbour.span());
    }
    return result;
  }

 private:
  /// Threads share arcs: heavy rows, which are long, stand together.
  std::size_t first_row(int thread) const {
    const auto arcs = static_cast<std::int64_t>(rows_.num_arcs());
    const auto before = static_cast<std::uint64_t>(static_share(arcs, thread, num_threads()).first);
    const auto rows = std::views::iota(std::size_t{0}, num_rows_);
    return static_cast<std::size_t>(
        std::ranges::lower_bound(rows, before, {}, [&](std::size_t row) { return rows_.first_arc(row); }) -
        rows.begin());
  }
  std::pair<std::size_t, std::size_t> rows_of_thread() const {
    const bool is_last = thread_id() + 1 == num_threads();
    return {thread_id() == 0 ? 0 : first_row(thread_id()), is_last ? num_rows_ : first_row(thread_id() + 1)};
  }

  /// By all threads: counts become where every thread has its next arc of a column. Each a share of the
  /// columns.
  void sum_up(std::span<std::uint64_t> start) {
    const auto used = static_cast<std::size_t>(num_threads());
    const auto [first, end] = static_share(static_cast<std::int64_t>(num_cols_), thread_id(), num_threads());
    std::uint32_t sum = 0;
    for (auto col = static_cast<std::size_t>(first); col < static_cast<std::size_t>(end); ++col) {
      for (std::size_t t = 0; t < used; ++t) sum += next_[t][col];
    }
    arcs_of_share_[static_cast<std::size_t>(thread_id())] = sum;
#pragma omp barrier
    const std::span<const std::uint32_t> before =
        std::span(arcs_of_share_).first(static_cast<std::size_t>(thread_id()));
    std::uint32_t at = std::accumulate(before.begin(), before.end(), 0U);
    for (auto col = static_cast<std::size_t>(first); col < static_cast<std::size_t>(end); ++col) {
      for (std::size_t t = 0; t < used; ++t) at += std::exchange(next_[t][col], at);
      start[col + 1] = at;
    }
#pragma omp barrier
  }

  void place(std::size_t first, std::size_t end, std::span<std::uint32_t> next,
             std::span<std::uint32_t> to) const {
    if (first >= end) return;
    constexpr std::uint64_t arcs_ahead = 32;  // stores wait for memory: ask for it early
    const std::span<const std::uint32_t> cols = rows_.neighbours();
    std::uint64_t ahead = rows_.first_arc(first) + arcs_ahead;
    for (std::size_t row = first; row < end; ++row) {
      for (const std::uint32_t col : rows_.of(row)) {
        if (ahead < cols.size()) __builtin_prefetch(to.data() + next[cols[ahead++]], 1);
        to[next[col]++] = static_cast<std::uint32_t>(row);
      }
    }
  }

  const AnyRows& rows_;
  std::size_t num_rows_;
  std::size_t num_cols_;
  std::vector<LargeArray<std::uint32_t>> next_;  // by thread, then column: arcs; then where the next one goes
  std::vector<std::uint32_t> arcs_of_share_;     // by thread
};

/// Some of the columns.
struct ColumnRange {
  std::size_t first;
  std::size_t size;
};

/// Calls visit(row, neighbours) for rows [first, end), or of hypersparse ones for those of them that have an
/// arc.
template <class Visit>
void for_each_row(const Rows& rows, std::size_t first, std::size_t end, Visit&& visit) {
  for (std::size_t row = first; row < end; ++row) visit(static_cast<std::uint32_t>(row), rows.of(row));
}
template <class Visit>
void for_each_row(const HypersparseRows& rows, std::size_t first, std::size_t end, Visit&& visit) {
  rows.for_each_existing(first, end, visit);
}

/// Arcs of a range of columns, dealt by column: where columns are many beside arcs.
template <class AnyRows>
DealtArcs dealt_by_source(const AnyRows& rows, const GridLayout& layout, ColumnRange cols,
                          LargeArray<std::uint32_t> room = {}) {
  const auto first_col = static_cast<std::uint32_t>(cols.first);
  const auto give = [&](int part, int parts, bool, auto&& add) {
    const auto [first, end] = static_share(layout.num_rows(), part, parts, word_bits);
    for_each_row(rows, static_cast<std::size_t>(first), static_cast<std::size_t>(end),
                 [&](std::uint32_t row, std::span<const std::uint32_t> neighbours) {
                   for (const std::uint32_t col : neighbours) {
                     const std::uint32_t in_range = col - first_col;
                     if (in_range < cols.size) add(row, in_range);
                   }
                 });
  };
  return DealtArcs(static_cast<std::int64_t>(cols.size), give, std::move(room));
}

/// Lays arcs that were dealt by column one column after the other, and uses them up.
/// @param keep_starts  keep_starts(first, at): columns of the range from `first` on begin at these places,
///                     the last of which is an end
template <class KeepStarts>
void lay_by_source(DealtArcs& dealt, std::span<std::uint32_t> neighbour, KeepStarts&& keep_starts) {
#pragma omp parallel
  {
    std::vector<std::uint64_t> at;
    dealt.use_up([&](std::size_t range) {
      const std::size_t first = dealt.first_target(range);
      const DealtArcs::Part& part = dealt.parts(range).front();
      const std::span<const std::uint16_t> cols = part.targets();
      at.assign(dealt.end_target(range) - first + 1, 0);
      for (const std::uint16_t col : cols) ++at[col + 1U];
      at[0] = dealt.begin(range);
      for (std::size_t col = 1; col < at.size(); ++col) at[col] += at[col - 1];
      keep_starts(first, std::span<const std::uint64_t>(at));
      for (std::size_t i = 0; i < cols.size(); ++i) neighbour[at[cols[i]]++] = part.sources[i];
    });
  }
}

template <class AnyRows>
Rows all_by_source(const AnyRows& rows, const GridLayout& layout, LargeArray<std::uint32_t> room) {
  if (are_counted_by_column(rows.num_arcs(), layout.num_cols())) {
    return CountedColumns(rows, layout).laid(std::move(room));
  }
  DealtArcs dealt = dealt_by_source(rows, layout, {0, layout.num_cols()}, std::move(room));
  Rows result;
  result.start = LargeArray<std::uint64_t>(layout.num_cols() + 1UL);
  result.neighbour = LargeArray<std::uint32_t>(dealt.num_arcs());
  lay_by_source(dealt, result.neighbour.span(), [&](std::size_t first, std::span<const std::uint64_t> at) {
    std::copy(at.begin() + 1, at.end(), result.start.begin() + first + 1);
  });
  return result;
}

/// Columns of which most have no arc, one range after the other, each dealt from all rows: so only the arcs
/// of one range are there once more. Where there are several, arcs are counted first, by stretches of
/// columns, and ranges are cut between these.
template <class AnyRows>
class ExistingColumns {
 public:
  ExistingColumns(const AnyRows& rows, const GridLayout& layout, LargeArray<std::uint32_t> room)
      : rows_(rows),
        layout_(layout),
        bits_(words_for(layout.num_cols())),
        length_(layout.num_cols() + 1UL),
        neighbour_(room_for(rows.num_arcs(), std::move(room))) {}

  /// @param arcs_at_a_time  of a range, at the most; but a stretch is not cut
  HypersparseRows laid(std::uint64_t arcs_at_a_time) {
    std::size_t first = 0;
    for (const std::size_t end : ends_of_ranges(arcs_at_a_time)) {
      lay({first, end - first});
      first = end;
    }
    length_.shrink(count_ + 1);
    return {PlacedBits(std::move(bits_)),
            CompactRows{CompactStarts(std::move(length_)), std::move(neighbour_)}};
  }

 private:
  /// Arcs of every stretch of 2^shift columns.
  std::vector<std::uint64_t> arcs_of_stretches(int shift) const {
    std::vector<std::uint64_t> arcs((layout_.num_cols() >> shift) + 1UL);
#pragma omp parallel
    {
      std::vector<std::uint64_t> mine(arcs.size());
      const auto [first, end] = static_share(layout_.num_rows(), thread_id(), num_threads(), word_bits);
      for_each_row(rows_, static_cast<std::size_t>(first), static_cast<std::size_t>(end),
                   [&](std::uint32_t, std::span<const std::uint32_t> neighbours) {
                     for (const std::uint32_t col : neighbours) ++mine[col >> shift];
                   });
#pragma omp critical
      for (std::size_t k = 0; k < arcs.size(); ++k) arcs[k] += mine[k];
    }
    return arcs;
  }
  std::vector<std::size_t> ends_of_ranges(std::uint64_t arcs_at_a_time) const {
    constexpr std::uint32_t most_stretches = 1U << 17;  // a thread counts in 1 MiB
    if (layout_.num_cols() == 0) return {};
    std::vector<std::size_t> ends;
    if (rows_.num_arcs() > arcs_at_a_time) {
      int shift = std::countr_zero(word_bits);
      while ((layout_.num_cols() >> shift) >= most_stretches) ++shift;
      std::uint64_t of_range = 0;
      const std::vector<std::uint64_t> arcs = arcs_of_stretches(shift);
      for (std::size_t k = 0; k < arcs.size(); ++k) {
        if (of_range != 0 && of_range + arcs[k] > arcs_at_a_time) {
          ends.push_back(k << shift);
          of_range = 0;
        }
        of_range += arcs[k];
      }
    }
    ends.push_back(layout_.num_cols());
    return ends;
  }

  void lay(ColumnRange cols) {
    DealtArcs dealt = dealt_by_source(rows_, layout_, cols);
    const EndRange all{.first = 0, .end = cols.size, .all = cols.size};
    const PlacedBits existing(targets_with_arc(dealt, all, std::numeric_limits<std::size_t>::max()));
    std::ranges::copy(existing.bits(), bits_.begin() + cols.first / word_bits);
    const auto to = neighbour_.span().subspan(arcs_, dealt.num_arcs());
    lay_by_source(dealt, to, [&](std::size_t first, std::span<const std::uint64_t> at) {
      std::size_t place = count_ + existing.members_below(first);
      for (std::size_t col = 0; col + 1 < at.size(); ++col) {
        if (at[col] != at[col + 1]) length_[place++] = static_cast<std::uint32_t>(at[col + 1] - at[col]);
      }
    });
    count_ += existing.count();
    arcs_ += dealt.num_arcs();
  }

  const AnyRows& rows_;
  const GridLayout& layout_;
  LargeArray<Word> bits_;             // of those that have an arc
  LargeArray<std::uint32_t> length_;  // of these, by place; behind them it is never touched
  LargeArray<std::uint32_t> neighbour_;
  std::size_t count_ = 0;   // laid
  std::uint64_t arcs_ = 0;  // laid
};

}  // namespace

bool are_counted_by_column(std::uint64_t arcs, std::uint64_t cols) {
  return arcs <= std::numeric_limits<std::uint32_t>::max() &&
         4 * cols * static_cast<std::uint64_t>(max_threads()) <= arcs;
}

Rows rows_by_source(const Rows& by_target, const GridLayout& layout, const Grid& grid,
                    LargeArray<std::uint32_t> room) {
  if (layout.rows_are_complete()) {
    return rows_told_by_owners(by_target, layout, grid.col_comm, std::move(room));
  }
  return all_by_source(by_target, layout, std::move(room));
}

void build_rows_by_source(Graph& graph, const Grid& grid, LargeArray<std::uint32_t> room,
                          std::uint64_t arcs_at_a_time) {
  const GridLayout& layout = graph.layout;
  if (layout.rows_are_complete()) {
    graph.by_source_stored = rows_by_source(graph.by_target, layout, grid, std::move(room));
    return;
  }
  graph.with_rows_by_target([&](const auto& rows) {
    if (graph.has_hypersparse_cols) {
      graph.hypersparse_by_source = ExistingColumns(rows, layout, std::move(room)).laid(arcs_at_a_time);
    } else {
      graph.by_source_stored = all_by_source(rows, layout, std::move(room));
    }
  });
}

}  // namespace isobath
