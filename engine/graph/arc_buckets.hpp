// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/rows.hpp"
#include "graph/weight_sort.hpp"

namespace isobath {

/// Weighted arcs on their way into rows: dealt by row into buckets of about equal size whose rows are then
/// sorted one bucket at a time, in cache as far as long rows allow. Memory: 12 bytes per arc, given back as
/// the rows, 8 bytes per distinct arc, are taken out.
class WeightedArcBuckets {
 public:
  /// @param max_length  for every row, at least as many arcs as will be added
  explicit WeightedArcBuckets(std::span<const std::uint32_t> max_length);

  /// One thread's way in: collects whole cache lines per bucket before it writes them.
  class Writer {
   public:
    explicit Writer(WeightedArcBuckets& buckets) : buckets_(buckets), lines_(buckets.num_buckets()) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { flush(); }
    void add(std::uint32_t row, WeightedArc arc) {
      const std::size_t bucket = buckets_.bucket_of(row);
      Line& line = lines_[bucket];
      line.arcs[line.count++] = {row, arc};
      if (line.count == arcs_per_line) write(bucket, line);
    }
    void flush();

   private:
    static constexpr std::size_t line_bytes = 128;
    static constexpr std::uint32_t arcs_per_line = (line_bytes - sizeof(std::uint32_t)) / sizeof(RowArc);
    struct alignas(line_bytes) Line {
      RowArc arcs[arcs_per_line];
      std::uint32_t count = 0;
    };
    void write(std::size_t bucket, Line& line);
    WeightedArcBuckets& buckets_;
    std::vector<Line> lines_;
  };

  /// Sorts every row by weight, drops all copies of an arc but the lightest; empties the buckets.
  /// @param num_indices  every neighbour's index is smaller
  WeightSortedRows into_rows(std::uint32_t num_indices);
  CompactWeightedRows into_compact_rows(std::uint32_t num_indices);

  std::size_t num_buckets() const { return begin_.size() - 1; }
  /// A bucket ends with the rows that bring it to so many arcs.
  static std::uint64_t wanted_length(std::uint64_t arcs);

 private:
  friend class Writer;
  static constexpr std::uint32_t group_shift = 4;  // buckets end at multiples of 16 rows
  std::size_t bucket_of(std::uint32_t row) const { return bucket_of_group_[row >> group_shift]; }
  /// What one thread needs to sort a bucket, kept from bucket to bucket.
  struct Scratch {
    std::vector<std::uint64_t> row_end;
    LargeArray<WeightedArc> row;
    WeightSort sort;
  };
  template <class Length>
  void sort_bucket(std::size_t bucket, Scratch& scratch, std::span<Length> length);
  template <class Length>
  void sort_buckets(std::uint32_t num_indices, std::span<Length> length);
  template <class AnyRows>
  AnyRows laid(AnyRows rows);

  std::size_t num_rows_;
  std::vector<std::uint16_t> bucket_of_group_;
  std::vector<std::uint32_t> first_row_;  // per bucket, and the end
  std::vector<std::uint64_t> begin_;      // per bucket, and the end, in arcs
  std::vector<std::uint64_t> cursor_;     // where the next line goes; advanced by all threads
  std::vector<std::uint64_t> distinct_;   // arcs per bucket after sorting
  LargeArray<RowArc> arcs_;
};

}  // namespace isobath
