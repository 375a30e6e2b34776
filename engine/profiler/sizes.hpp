// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace isobath::profiler {

/// Buckets of sizes in bytes: four per octave, so that sizes whose three highest bits agree are together (0,
/// 1, 2, ..., 7, 8-9, 10-11, ...). IPM keeps the same three bits; mpiP's powers of two are sums of them.
inline constexpr std::size_t num_size_buckets = 248;

constexpr std::size_t size_bucket(std::int64_t bytes) {
  if (bytes < 4) return bytes < 0 ? 0 : static_cast<std::size_t>(bytes);
  const auto value = static_cast<std::uint64_t>(bytes);
  const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1;
  return 4 * (octave - 1) + ((value >> (octave - 2)) & 3);
}

/// The smallest size of a bucket.
constexpr std::int64_t bucket_begin(std::size_t bucket) {
  if (bucket < 4) return static_cast<std::int64_t>(bucket);
  const std::size_t octave = bucket / 4 + 1;
  return static_cast<std::int64_t>((4 + bucket % 4) << (octave - 2));
}

/// What a size is the size of.
enum class SizeMeaning : unsigned char {
  call_total,   // all that a rank sends to others in one call
  per_peer,     // what it sends to one of them
  own_segment,  // what a collective keeps at its rank
  argument,  // count times type size as the arguments say; of several counts the own one (what IPM records)
};
inline constexpr std::array<std::string_view, 4> size_meaning_names = {"call_total", "per_peer",
                                                                       "own_segment", "argument"};

struct SizeCount {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  double nanoseconds = 0;
};

/// The sizes of one call, all meanings.
using CallSizes = std::array<std::array<SizeCount, num_size_buckets>, size_meaning_names.size()>;

}  // namespace isobath::profiler
