// SPDX-License-Identifier: Apache-2.0
#include "comm/ledger/size_buckets.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

// Sizes below 4 have a bucket each. From there on an octave [2^e, 2^(e+1)), e >= 2, has the buckets
// 4 (e - 1) + q, q = 0 .. 3 its quarters.
constexpr std::size_t buckets_of_octaves = 4 * 62;  // sizes below 2^63

}  // namespace

SizeBuckets::SizeBuckets(std::vector<std::int64_t> edges) : edges_(std::move(edges)) {
  if (edges_.empty()) throw UsageError("the edges of size buckets are missing; name one at least");
  std::int64_t before = 0;
  for (const std::int64_t edge : edges_) {
    if (edge <= before) {
      throw UsageError(fmt::format(
          "the edges of size buckets are whole numbers of bytes from 1 on, each larger than the one before, "
          "but {} follows {}",
          edge, before));
    }
    before = edge;
  }
}

std::size_t SizeBuckets::count() const { return edges_.empty() ? buckets_of_octaves : edges_.size() + 1; }

std::size_t SizeBuckets::bucket_of(std::int64_t bytes) const {
  ISOBATH_EXPECTS(bytes >= 0);
  if (!edges_.empty()) {
    return static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), bytes) - edges_.begin());
  }
  const auto size = static_cast<std::uint64_t>(bytes);
  if (size < 4) return static_cast<std::size_t>(size);
  const auto octave = static_cast<std::size_t>(std::bit_width(size)) - 1;
  return 4 * (octave - 1) + ((size >> (octave - 2)) & 3);
}

std::int64_t SizeBuckets::from(std::size_t bucket) const {
  ISOBATH_EXPECTS(bucket < count());
  if (!edges_.empty()) return bucket == 0 ? 0 : edges_[bucket - 1];
  if (bucket < 4) return static_cast<std::int64_t>(bucket);
  return static_cast<std::int64_t>((std::uint64_t{4} + bucket % 4) << (bucket / 4 - 1));
}

std::int64_t SizeBuckets::to(std::size_t bucket) const {
  return bucket + 1 < count() ? from(bucket + 1) : no_end;
}

std::vector<SizeCount>& SizeHistograms::storage_of(CallKind kind) {
  std::vector<SizeCount>& counts = counts_[static_cast<std::size_t>(kind)];
  if (counts.empty()) counts.resize(size_meaning_names.size() * buckets_.count());
  return counts;
}

void SizeHistograms::add(CallKind kind, SizeMeaning meaning, std::int64_t bytes, std::int64_t count,
                         double seconds) {
  if (bytes == 0) return;
  const std::size_t first = static_cast<std::size_t>(meaning) * buckets_.count();
  SizeCount& counted = storage_of(kind)[first + buckets_.bucket_of(bytes)];
  counted.count += count;
  counted.bytes += bytes * count;
  counted.seconds += seconds;
}

SizeHistograms& SizeHistograms::operator+=(const SizeHistograms& other) {
  for (std::size_t kind = 0; kind < num_call_kinds; ++kind) {
    const std::vector<SizeCount>& theirs = other.counts_[kind];
    if (theirs.empty()) continue;
    std::vector<SizeCount>& ours = storage_of(static_cast<CallKind>(kind));
    ISOBATH_EXPECTS(ours.size() == theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ours[i].count += theirs[i].count;
      ours[i].bytes += theirs[i].bytes;
      ours[i].seconds += theirs[i].seconds;
    }
  }
  return *this;
}

void SizeHistograms::clear() {
  for (std::vector<SizeCount>& counts : counts_) std::fill(counts.begin(), counts.end(), SizeCount{});
}

std::span<const SizeCount> SizeHistograms::of(CallKind kind, SizeMeaning meaning) const {
  const std::vector<SizeCount>& counts = counts_[static_cast<std::size_t>(kind)];
  if (counts.empty()) return {};
  return std::span(counts).subspan(static_cast<std::size_t>(meaning) * buckets_.count(), buckets_.count());
}

}  // namespace isobath
