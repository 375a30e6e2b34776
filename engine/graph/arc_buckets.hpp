// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.hpp"
#include "graph/rows.hpp"

namespace isobath {

/// Arcs on their way into rows: dealt by row into buckets of about equal size whose rows are then sorted one
/// bucket at a time, in cache as far as hubs allow. Memory: 8 bytes per arc, given back as the rows, 4 bytes
/// per distinct arc, are taken out.
class ArcBuckets {
 public:
  struct Arc {
    std::uint32_t row;
    std::uint32_t key;  // of the neighbour, see HubFirst
  };

  /// @param max_length  for every row, at least as many arcs as will be added
  explicit ArcBuckets(std::span<const std::uint32_t> max_length);

  /// One thread's way in: collects whole cache lines per bucket before it writes them.
  class Writer {
   public:
    explicit Writer(ArcBuckets& buckets) : buckets_(buckets), lines_(buckets.num_buckets()) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { flush(); }
    void add(std::uint32_t row, std::uint32_t key) {
      const std::size_t bucket = buckets_.bucket_of(row);
      Line& line = lines_[bucket];
      line.arcs[line.count++] = {row, key};
      if (line.count == arcs_per_line) write(bucket, line);
    }
    void flush();

   private:
    static constexpr std::uint32_t arcs_per_line = 15;
    struct alignas(128) Line {
      Arc arcs[arcs_per_line];
      std::uint32_t count = 0;
    };
    void write(std::size_t bucket, Line& line);
    ArcBuckets& buckets_;
    std::vector<Line> lines_;
  };

  /// Sorts every row, drops duplicates unless they are to be kept, turns keys into indices; empties the
  /// buckets.
  Rows into_rows(const HubFirst& order, bool keep_duplicates = false);

  std::size_t num_buckets() const { return begin_.size() - 1; }

 private:
  friend class Writer;
  static constexpr std::uint32_t group_shift = 4;  // buckets end at multiples of 16 rows
  std::size_t bucket_of(std::uint32_t row) const { return bucket_of_group_[row >> group_shift]; }
  /// What one thread needs to sort a bucket, kept from bucket to bucket.
  struct Scratch {
    std::vector<std::uint64_t> row_end;
    LargeArray<std::uint32_t> keys;
    std::vector<std::uint32_t> sort;
    bool keep_duplicates = false;
  };
  void sort_bucket(std::size_t bucket, const HubFirst& order, int key_bits, Scratch& scratch,
                   LargeArray<std::uint64_t>& length);

  std::size_t num_rows_;
  std::vector<std::uint16_t> bucket_of_group_;
  std::vector<std::uint32_t> first_row_;  // per bucket, and the end
  std::vector<std::uint64_t> begin_;      // per bucket, and the end, in arcs
  std::vector<std::uint64_t> cursor_;     // where the next line goes; advanced by all threads
  std::vector<std::uint64_t> distinct_;   // arcs per bucket after sorting
  LargeArray<Arc> arcs_;
};

}  // namespace isobath
