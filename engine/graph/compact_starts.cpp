// SPDX-License-Identifier: Apache-2.0
#include "graph/compact_starts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace isobath {
namespace {

std::uint64_t sum_of(std::span<const std::uint32_t> length) {
  return std::accumulate(length.begin(), length.end(), std::uint64_t{0});
}

}  // namespace

CompactStarts::CompactStarts(LargeArray<std::uint32_t> length) : offset_(std::move(length)) {
  while (!offsets_suffice()) --block_bits_;  // ends: in a block of one row the only offset is zero
  sum_up();
}

std::span<std::uint32_t> CompactStarts::block(std::size_t b) {
  const std::size_t first = b << block_bits_;
  return offset_.span().subspan(first, std::min(rows_of_block(), size() - first));
}

/// While offsets are still lengths: the largest is that of a block's last row, with all before it.
bool CompactStarts::offsets_suffice() {
  bool suffice = true;
#pragma omp parallel for schedule(static) reduction(&& : suffice)
  for (std::size_t b = 0; b < num_blocks(); ++b) {
    const std::span<const std::uint32_t> lengths = block(b);
    suffice =
        suffice && sum_of(lengths.first(lengths.size() - 1)) <= std::numeric_limits<std::uint32_t>::max();
  }
  return suffice;
}

/// Lengths become starts.
void CompactStarts::sum_up() {
  base_ = LargeArray<std::uint64_t>(num_blocks());
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < num_blocks(); ++b) base_[b] = sum_of(block(b));
  std::exclusive_scan(base_.begin(), base_.end(), base_.begin(), std::uint64_t{0});
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < num_blocks(); ++b) {
    const std::span<std::uint32_t> lengths = block(b);
    std::exclusive_scan(lengths.begin(), lengths.end(), lengths.begin(), std::uint32_t{0});
  }
}

}  // namespace isobath
