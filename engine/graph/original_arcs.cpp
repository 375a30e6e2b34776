// SPDX-License-Identifier: Apache-2.0
#include "graph/original_arcs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>
#include <utility>

#include "base/expects.hpp"
#include "base/threads.hpp"
#include "graph/sort_row.hpp"

namespace isobath {
namespace {

constexpr std::uint64_t no_row = ~std::uint64_t{0};
constexpr std::size_t keys_ahead = 32;  // look-ups of neighbours wait for memory: ask for them early

/// Of the first arcs of a part, before its turn.
template <class Codes, class SourceAt>
void prefetch_keys(const Codes& key_of, std::size_t arcs, const SourceAt& source_at) {
  const std::size_t first = std::min(keys_ahead, arcs);
  for (std::size_t i = 0; i < first; ++i) key_of.prefetch_block(source_at(i));
  for (std::size_t i = 0; i < first; ++i) key_of.prefetch_place(source_at(i));
  for (std::size_t i = 0; i < first; ++i) key_of.prefetch(source_at(i));
}

}  // namespace

OriginalArcs::OriginalArcs(const EdgeStream& edges) {
  std::vector<std::vector<std::uint32_t>> loops(static_cast<std::size_t>(max_threads()));
  dealt_.emplace(edges.num_vertices(), [&](int part, int parts, bool is_last, auto&& add) {
    std::vector<std::uint32_t>& mine = loops[static_cast<std::size_t>(part)];
    mine.clear();
    const auto [first, end] = static_share(edges.size(), part, parts);
    for_each_batch(edges, first, end, [&](std::span<const Edge> batch) {
      for (const auto& [u, v] : batch) {
        const auto a = static_cast<std::uint32_t>(raw(u));
        const auto b = static_cast<std::uint32_t>(raw(v));
        if (a == b) {
          if (is_last) mine.push_back(a);
          continue;
        }
        add(a, b);
        add(b, a);
      }
    });
  });
  for (const auto& of_thread : loops) {
    self_loops_at_.insert(self_loops_at_.end(), of_thread.begin(), of_thread.end());
  }
  std::sort(self_loops_at_.begin(), self_loops_at_.end());
}

LargeArray<Endpoint> OriginalArcs::endpoints(std::int64_t first, std::int64_t end, bool& are_counted) const {
  LargeArray<Endpoint> result(static_cast<std::size_t>(end - first));
  std::atomic<bool> has_overflow = false;
  const auto first_range = static_cast<std::size_t>(dealt_->range_of(first));
  const std::size_t end_range = first == end ? first_range : dealt_->range_of(end - 1) + 1;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t range = first_range; range < end_range; ++range) {
    const auto of_range = static_cast<std::int64_t>(dealt_->first_target(range));
    const std::int64_t before = first - of_range;  // targets that are not asked for
    const std::int64_t behind = end - of_range;
    bool all_are_met = true;
    const auto count = [&](auto&& is_asked_for) {
      for_each_part(dealt_->parts(range), [&](const DealtArcs::Part& part) {
        dealt_->with_sources(part, [&](const auto& source_at) {
          for (std::size_t i = 0; i < part.sources.size(); ++i) {
            const std::uint16_t target = part.target[i];
            if (!is_asked_for(target)) continue;
            all_are_met &= result[static_cast<std::size_t>(target - before)].meet(
                first_source_ + static_cast<std::int64_t>(source_at(i)));
          }
        });
      });
    };
    if (before <= 0 && end >= static_cast<std::int64_t>(dealt_->end_target(range))) {  // nearly every range
      count([](std::uint16_t) { return true; });
    } else {
      count([&](std::uint16_t t) { return t >= before && t < behind; });
    }
    if (!all_are_met) has_overflow.store(true, std::memory_order_relaxed);
  }
  are_counted &= !has_overflow;
  return result;
}

LargeArray<std::uint32_t> OriginalArcs::first_places(std::int64_t first, std::int64_t end,
                                                     const SourcePlaces& places) const {
  LargeArray<std::uint32_t> result(static_cast<std::size_t>(end - first));
  if (first == end) return result;
  const std::size_t first_range = dealt_->range_of(first);
  const std::size_t end_range = dealt_->range_of(end - 1) + 1;
#pragma omp parallel
  {
    std::vector<std::uint32_t> least;  // by target of a range
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = first_range; range < end_range; ++range) {
      const auto begin = static_cast<std::int64_t>(dealt_->first_target(range));
      const auto behind = static_cast<std::int64_t>(dealt_->end_target(range));
      least.assign(static_cast<std::size_t>(behind - begin), places.count());
      for_each_part(dealt_->parts(range), [&](const DealtArcs::Part& part) {
        places.visit([&](const auto& place_of) {
          dealt_->with_sources(part, [&](const auto& source_at) {
            for (std::size_t i = 0; i < part.sources.size(); ++i) {
              std::uint32_t& of_target = least[part.target[i]];
              of_target = std::min(of_target, place_of(source_at(i)));
            }
          });
        });
      });
      const std::int64_t from = std::max(first, begin);
      const std::int64_t to = std::min(end, behind);
      std::copy(least.begin() + (from - begin), least.begin() + (to - begin),
                result.begin() + (from - first));
    }
  }
  return result;
}

/// What one thread needs to sort a range, kept from range to range.
struct OriginalArcs::Scratch {
  Scratch(int key_bits, bool with_duplicates) : sorter(key_bits), keep_duplicates(with_duplicates) {}

  std::vector<std::uint32_t> length;   // by target: room of its row
  std::vector<std::uint64_t> row_end;  // where the arcs in it end
  LargeArray<std::uint32_t> keys;
  RowSorter sorter;
  bool keep_duplicates;
};

/// Of every target of a range: how much room its row has, and where it begins in `scratch.keys`.
void OriginalArcs::number_rows(std::size_t range, const RowNumbers& numbers, Scratch& scratch) const {
  const std::size_t first = dealt_->first_target(range);
  scratch.length.assign(dealt_->end_target(range) - first, 0);
  if (numbers.length.empty()) {
    for_each_part(dealt_->parts(range), [&](const DealtArcs::Part& part) {
      for (const std::uint16_t of : part.targets()) ++scratch.length[of];
    });
  }
  std::vector<std::uint64_t>& at = scratch.row_end;
  at.assign(scratch.length.size(), no_row);
  std::uint64_t room = 0;
  numbers.row->visit([&](const auto& row_of) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t row = row_of.of(first + i);
      if (row >= Numbering::leaf) continue;
      if (!numbers.length.empty()) scratch.length[i] = numbers.length[row];
      at[i] = std::exchange(room, room + scratch.length[i]);
    }
  });
  if (scratch.keys.size() < room) scratch.keys = LargeArray<std::uint32_t>(room);
}

/// Arcs of a range between ends that have numbers, as keys, into their rows in `scratch.keys`: each has room
/// for `length` of them and ends at row_end.
template <class Codes>
void OriginalArcs::translate(std::size_t range, const Codes& key_of, Scratch& scratch) const {
  const std::span<const DealtArcs::Part> parts = dealt_->parts(range);
  std::uint32_t* const keys = scratch.keys.data();
  std::uint64_t* const at = scratch.row_end.data();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k + 2 < parts.size()) prefetch_part(parts[k + 2]);
    if (k + 1 < parts.size()) {
      const DealtArcs::Part& next = parts[k + 1];
      dealt_->with_sources(
          next, [&](const auto& source_at) { prefetch_keys(key_of, next.sources.size(), source_at); });
    }
    const DealtArcs::Part& part = parts[k];
    dealt_->with_sources(part, [&](const auto& source_at) {
      const std::size_t last = part.sources.size() - 1;
      for (std::size_t i = 0; i < part.sources.size(); ++i) {
        key_of.prefetch_block(source_at(std::min(i + 3 * keys_ahead, last)));
        key_of.prefetch_place(source_at(std::min(i + 2 * keys_ahead, last)));
        key_of.prefetch(source_at(std::min(i + keys_ahead, last)));
        const std::uint32_t key = key_of.of(source_at(i));
        std::uint64_t& row_end = at[part.target[i]];
        if (key < Numbering::leaf && row_end != no_row) keys[row_end++] = key;
      }
    });
  }
}

/// Sorts the rows of a range; what remains of them replaces its arcs, one row after the other in original
/// order.
/// @param length  of each row, by entry_of(): what remains
template <class Length>
void OriginalArcs::sort_range(std::size_t range, const RowNumbers& numbers, Scratch& scratch,
                              std::span<Length> length) {
  number_rows(range, numbers, scratch);
  numbers.key->visit([&](const auto& key_of) { translate(range, key_of, scratch); });
  const std::size_t first = dealt_->first_target(range);
  SourceCursor out(dealt_->parts(range));
  const HeavyFirst order = *numbers.order;  // here, where no key can overwrite it
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < scratch.row_end.size(); ++i) {
    const std::uint32_t row = (*numbers.row)[first + i];
    if (row >= Numbering::leaf) continue;
    std::uint32_t* const keys = scratch.keys.data() + begin;
    const auto met = static_cast<std::uint32_t>(scratch.row_end[i] - begin);
    begin += scratch.length[i];
    const std::uint32_t count = scratch.keep_duplicates ? met : scratch.sorter.sort_unique(keys, met);
    if (scratch.keep_duplicates) scratch.sorter.sort(keys, met);
    if (order.pieces() > 1) {
      for (std::uint32_t k = 0; k < count; ++k) keys[k] = order.index(keys[k]);
    }
    out.write(keys, count);
    length[numbers.entry_of(row)] = count;
  }
}

template <class Length>
void OriginalArcs::sort_ranges(const RowNumbers& numbers, bool keep_duplicates, std::span<Length> length) {
  const auto key_bits = static_cast<int>(std::bit_width(numbers.order->max_key()));
#pragma omp parallel
  {
    Scratch scratch(key_bits, keep_duplicates);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t range = 0; range < num_ranges(); ++range) sort_range(range, numbers, scratch, length);
  }
  dealt_->forget_arcs();
}

template <class AnyRows>
void OriginalArcs::copy_range(std::size_t range, const RowNumbers& numbers, AnyRows& rows) const {
  SourceCursor from(dealt_->parts(range));
  for (std::size_t target = dealt_->first_target(range); target < dealt_->end_target(range); ++target) {
    const std::uint32_t row = (*numbers.row)[target];
    if (row >= Numbering::leaf) continue;
    const std::size_t entry = numbers.entry_of(row);
    from.read(rows.neighbour.data() + rows.start[entry], rows.length(entry));
  }
}

Rows OriginalArcs::sort_rows(const RowNumbers& numbers, bool keep_duplicates) {
  ISOBATH_EXPECTS(numbers.candidates == nullptr);
  Rows rows;
  rows.start = LargeArray<std::uint64_t>(numbers.num_rows + 1);
  sort_ranges(numbers, keep_duplicates, rows.start.span().subspan(1));
  for (std::size_t row = 0; row < numbers.num_rows; ++row) rows.start[row + 1] += rows.start[row];
  return rows;
}

CompactRows OriginalArcs::sort_candidates(const RowNumbers& numbers, bool keep_duplicates) {
  ISOBATH_EXPECTS(numbers.candidates != nullptr);
  LargeArray<std::uint32_t> length(numbers.candidates->count() + 1);
  sort_ranges(numbers, keep_duplicates, length.span());
  return {CompactStarts(std::move(length)), {}};
}

template <class AnyRows>
void OriginalArcs::lay_rows(const RowNumbers& numbers, AnyRows& rows) {
  rows.neighbour = LargeArray<std::uint32_t>(rows.start[rows.num_rows()]);
#pragma omp parallel
  dealt_->use_up([&](std::size_t range) { copy_range(range, numbers, rows); });
  room_ = dealt_->take_room();
  dealt_.reset();
}

template void OriginalArcs::lay_rows(const RowNumbers& numbers, Rows& rows);
template void OriginalArcs::lay_rows(const RowNumbers& numbers, CompactRows& rows);

}  // namespace isobath
