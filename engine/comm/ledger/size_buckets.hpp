// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "comm/ledger/call_kind.hpp"

namespace isobath {

/// Which bucket a size in bytes (>= 0) falls into. Bucket i holds from(i) <= size < to(i); buckets follow
/// each other without a gap and the last one has no end.
class SizeBuckets {
 public:
  /// Four buckets per octave: sizes whose three highest bits agree are together (1, 2, 3, 4, 5, 6, 7, 8-9,
  /// 10-11, 12-13, 14-15, 16-19, ...), so that none is wider than a quarter of its lower end.
  SizeBuckets() = default;
  /// Buckets that begin at 0 and at each edge. @throws UsageError unless edges ascend from at least 1
  explicit SizeBuckets(std::vector<std::int64_t> edges);

  std::size_t count() const;
  std::size_t bucket_of(std::int64_t bytes) const;
  std::int64_t from(std::size_t bucket) const;
  /// no_end for the last.
  std::int64_t to(std::size_t bucket) const;

  static constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

 private:
  std::vector<std::int64_t> edges_;  // empty: four per octave
};

/// What a size is the size of.
enum class SizeMeaning : unsigned char {
  call_total,   // all that a rank sends to others in one call
  per_peer,     // what it sends to one of them
  own_segment,  // what a collective keeps at its rank
};
inline constexpr std::array<std::string_view, 3> size_meaning_names = {"call_total", "per_peer",
                                                                       "own_segment"};

/// Sizes of one bucket.
struct SizeCount {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  double seconds = 0;  // of the call, shared among its messages by their bytes
};

/// How large messages were, for each kind of call and each meaning. Sizes of 0 bytes are no messages.
class SizeHistograms {
 public:
  explicit SizeHistograms(SizeBuckets buckets) : buckets_(std::move(buckets)) {}

  /// `count` messages of `bytes` each that took `seconds` together. Allocates when a kind is met first.
  void add(CallKind kind, SizeMeaning meaning, std::int64_t bytes, std::int64_t count, double seconds);
  SizeHistograms& operator+=(const SizeHistograms& other);
  /// Forgets the counts and keeps the storage.
  void clear();

  const SizeBuckets& buckets() const { return buckets_; }
  /// One count per bucket; empty where the kind was never met.
  std::span<const SizeCount> of(CallKind kind, SizeMeaning meaning) const;

 private:
  std::vector<SizeCount>& storage_of(CallKind kind);

  SizeBuckets buckets_;
  std::array<std::vector<SizeCount>, num_call_kinds> counts_;  // the meanings one after the other
};

}  // namespace isobath
