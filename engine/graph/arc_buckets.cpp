// SPDX-License-Identifier: Apache-2.0
#include "graph/arc_buckets.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/expects.hpp"
#include "base/threads.hpp"

namespace isobath {
namespace {

constexpr std::uint64_t usual_buckets = 512;  // their open lines fit the second-level cache
constexpr std::uint64_t min_bucket_arcs = std::uint64_t{1} << 14;
/// Every thread has room for one that it sorts, and every bucket opens a huge page before the arcs that go
/// into it are given back: where arcs are many, rather more buckets than longer ones, but not many.
constexpr std::uint64_t max_bucket_arcs = std::uint64_t{1} << 20;
constexpr std::uint64_t max_buckets = 1024;

}  // namespace

std::uint64_t WeightedArcBuckets::wanted_length(std::uint64_t arcs) {
  const std::uint64_t usual = std::min(arcs / usual_buckets + 1, max_bucket_arcs);
  return std::max({min_bucket_arcs, usual, arcs / max_buckets + 1});
}

WeightedArcBuckets::WeightedArcBuckets(std::span<const std::uint32_t> max_length)
    : num_rows_(max_length.size()) {
  std::uint64_t total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t row = 0; row < num_rows_; ++row) total += max_length[row];
  const std::uint64_t aim = wanted_length(total);
  const std::size_t groups = (num_rows_ >> group_shift) + 1;
  bucket_of_group_.resize(groups);
  begin_.push_back(0);
  first_row_.push_back(0);
  std::uint64_t sum = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    bucket_of_group_[group] = static_cast<std::uint16_t>(begin_.size() - 1);
    const std::size_t end = std::min(num_rows_, (group + 1) << group_shift);
    for (std::size_t row = group << group_shift; row < end; ++row) sum += max_length[row];
    if (sum - begin_.back() >= aim || group + 1 == groups) {
      begin_.push_back(sum);
      first_row_.push_back(static_cast<std::uint32_t>(end));
    }
  }
  cursor_.assign(begin_.begin(), begin_.end() - 1);
  distinct_.resize(num_buckets());
  arcs_ = LargeArray<RowArc>(total);
}

void WeightedArcBuckets::Writer::write(std::size_t bucket, Line& line) {
  const std::uint64_t at =
      std::atomic_ref(buckets_.cursor_[bucket]).fetch_add(line.count, std::memory_order_relaxed);
  ISOBATH_EXPECTS(at + line.count <= buckets_.begin_[bucket + 1]);
  std::memcpy(buckets_.arcs_.data() + at, line.arcs, line.count * sizeof(RowArc));
  line.count = 0;
}

void WeightedArcBuckets::Writer::flush() {
  for (std::size_t bucket = 0; bucket < lines_.size(); ++bucket) {
    if (lines_[bucket].count != 0) write(bucket, lines_[bucket]);
  }
}

/// @param length  of every row: what remains
template <class Length>
void WeightedArcBuckets::sort_bucket(std::size_t bucket, Scratch& scratch, std::span<Length> length) {
  const std::uint32_t first_row = first_row_[bucket];
  const std::uint32_t rows = first_row_[bucket + 1] - first_row;
  const std::span<const RowArc> arcs(arcs_.data() + begin_[bucket], cursor_[bucket] - begin_[bucket]);
  std::vector<std::uint64_t>& at = scratch.row_end;
  at.assign(rows + 1, 0);
  for (const RowArc& arc : arcs) ++at[arc.row - first_row + 1];
  for (std::uint32_t row = 0; row < rows; ++row) at[row + 1] += at[row];
  if (scratch.row.size() < arcs.size()) scratch.row = LargeArray<WeightedArc>(arcs.size());
  WeightedArc* const sorted = scratch.row.data();
  for (const RowArc& arc : arcs) sorted[at[arc.row - first_row]++] = arc.arc;
  // at[row] is now the end of the row. What remains of each row replaces the arcs, which are larger, from the
  // front.
  auto* const out = reinterpret_cast<WeightedArc*>(arcs_.data() + begin_[bucket]);
  std::uint64_t written = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint64_t begin = row == 0 ? 0 : at[row - 1];
    const std::uint32_t count = scratch.sort(sorted + begin, static_cast<std::uint32_t>(at[row] - begin));
    std::copy_n(sorted + begin, count, out + written);
    written += count;
    length[first_row + row] = count;
  }
  distinct_[bucket] = written;
  auto* const unused = reinterpret_cast<std::byte*>(out + written);
  arena::release_pages(unused, static_cast<std::size_t>(
                                   reinterpret_cast<std::byte*>(arcs_.data() + begin_[bucket + 1]) - unused));
}

template <class Length>
void WeightedArcBuckets::sort_buckets(std::uint32_t num_indices, std::span<Length> length) {
#pragma omp parallel
  {
    Scratch scratch{.row_end = {}, .row = {}, .sort = WeightSort(num_indices)};
#pragma omp for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < num_buckets(); ++bucket) sort_bucket(bucket, scratch, length);
  }
}

WeightSortedRows WeightedArcBuckets::into_rows(std::uint32_t num_indices) {
  WeightSortedRows rows;
  rows.start = LargeArray<std::uint64_t>(num_rows_ + 1);
  sort_buckets(num_indices, rows.start.span().subspan(1));
  for (std::size_t row = 0; row < num_rows_; ++row) rows.start[row + 1] += rows.start[row];
  return laid(std::move(rows));
}

CompactWeightedRows WeightedArcBuckets::into_compact_rows(std::uint32_t num_indices) {
  LargeArray<std::uint32_t> length(num_rows_ + 1);
  sort_buckets(num_indices, length.span());
  return laid(CompactWeightedRows{CompactStarts(std::move(length)), {}});
}

/// Sorted rows go to their places. @param rows  without neighbours
template <class AnyRows>
AnyRows WeightedArcBuckets::laid(AnyRows rows) {
  rows.neighbour = LargeArray<WeightedArc>(rows.start[num_rows_]);
#pragma omp parallel
  {
    // Neighbouring buckets to each thread: they are smaller than huge pages, which can only be given back
    // whole.
    const auto [first, end] = static_share(std::ssize(distinct_), thread_id(), num_threads());
    void* done = arcs_.data() + begin_[static_cast<std::size_t>(first)];
    for (auto bucket = static_cast<std::size_t>(first); bucket < static_cast<std::size_t>(end); ++bucket) {
      const auto* const sorted = reinterpret_cast<const WeightedArc*>(arcs_.data() + begin_[bucket]);
      std::copy_n(sorted, distinct_[bucket], rows.neighbour.data() + rows.start[first_row_[bucket]]);
      const auto* const copied = reinterpret_cast<const std::byte*>(arcs_.data() + begin_[bucket + 1]);
      done = arena::release_pages(done, static_cast<std::size_t>(copied - static_cast<std::byte*>(done)));
    }
  }
  arcs_ = {};
  return rows;
}

}  // namespace isobath
