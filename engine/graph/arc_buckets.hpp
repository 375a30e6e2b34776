// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Arcs on their way into rows: dealt by row into buckets of about equal size whose rows are then sorted one
/// bucket at a time, in cache as far as hubs allow. Memory: 8 bytes per arc (12 with weights), given back as
/// the rows, 4 bytes per distinct arc (8 with weights), are taken out.
///
/// @tparam Key  what an arc brings to its row besides the row's number: of the neighbour, see HubFirst; or
///              WeightedNeighbour
template <class Key>
class ArcBucketsOf {
 public:
  struct Arc {
    std::uint32_t row;
    Key key;
  };

  /// @param max_length  for every row, at least as many arcs as will be added
  explicit ArcBucketsOf(std::span<const std::uint32_t> max_length);

  /// One thread's way in: collects whole cache lines per bucket before it writes them.
  class Writer {
   public:
    explicit Writer(ArcBucketsOf& buckets) : buckets_(buckets), lines_(buckets.num_buckets()) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { flush(); }
    void add(std::uint32_t row, Key key) {
      const std::size_t bucket = buckets_.bucket_of(row);
      Line& line = lines_[bucket];
      line.arcs[line.count++] = {row, key};
      if (line.count == arcs_per_line) write(bucket, line);
    }
    void flush();

   private:
    static constexpr std::size_t line_bytes = 128;
    static constexpr std::uint32_t arcs_per_line = (line_bytes - sizeof(std::uint32_t)) / sizeof(Arc);
    struct alignas(line_bytes) Line {
      Arc arcs[arcs_per_line];
      std::uint32_t count = 0;
    };
    void write(std::size_t bucket, Line& line);
    ArcBucketsOf& buckets_;
    std::vector<Line> lines_;
  };

  /// Sorts every row, drops duplicates unless they are to be kept, turns keys into indices; empties the
  /// buckets.
  RowsOf<Key> into_rows(const HubFirst& order, bool keep_duplicates = false)
    requires std::same_as<Key, std::uint32_t>;
  /// Sorts every row by weight, drops all copies of an arc but the lightest; empties the buckets.
  /// @param num_indices  every neighbour's index is smaller
  RowsOf<Key> into_rows(std::uint32_t num_indices)
    requires std::same_as<Key, WeightedNeighbour>;

  std::size_t num_buckets() const { return begin_.size() - 1; }

 private:
  friend class Writer;
  static constexpr std::uint32_t group_shift = 4;  // buckets end at multiples of 16 rows
  std::size_t bucket_of(std::uint32_t row) const { return bucket_of_group_[row >> group_shift]; }
  /// What one thread needs to sort a bucket, kept from bucket to bucket.
  struct Scratch {
    std::vector<std::uint64_t> row_end;
    LargeArray<Key> keys;
  };
  /// @param sort_row  sort_row(Key* row, count, Key* out): sorts one row, writes what remains to `out`,
  ///                  returns how many that are
  template <class SortRow>
  void sort_bucket(std::size_t bucket, SortRow& sort_row, Scratch& scratch,
                   LargeArray<std::uint64_t>& length);
  /// @param make_sort_row  called once by every thread
  template <class MakeSortRow>
  RowsOf<Key> sorted_rows(MakeSortRow make_sort_row);

  std::size_t num_rows_;
  std::vector<std::uint16_t> bucket_of_group_;
  std::vector<std::uint32_t> first_row_;  // per bucket, and the end
  std::vector<std::uint64_t> begin_;      // per bucket, and the end, in arcs
  std::vector<std::uint64_t> cursor_;     // where the next line goes; advanced by all threads
  std::vector<std::uint64_t> distinct_;   // arcs per bucket after sorting
  LargeArray<Arc> arcs_;
};

using ArcBuckets = ArcBucketsOf<std::uint32_t>;
using WeightedArcBuckets = ArcBucketsOf<WeightedNeighbour>;

extern template class ArcBucketsOf<std::uint32_t>;
extern template class ArcBucketsOf<WeightedNeighbour>;

}  // namespace isobath
