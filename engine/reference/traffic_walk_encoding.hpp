// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace isobath::reference {

/// Words of 64 bits in the bitmap of one block: a piece is filled up to whole units of 512 bits.
std::int64_t bitmap_words(std::int64_t vertices);
inline std::int64_t bitmap_bytes(std::int64_t vertices) { return 8 * bitmap_words(vertices); }
/// The bitmap of that bitmap, one bit a word, in whole words.
std::int64_t summary_bytes(std::int64_t vertices);

/// A number written 7 bits to a byte.
std::int64_t packed_number_bytes(std::uint64_t number);
/// Distinct ascending numbers: the first as it is, then each less its predecessor and one, packed.
std::int64_t packed_list_bytes(std::span<const std::uint32_t> ascending);
/// Pairs of a target and a source: their number, the targets as a packed list, the sources in so many bits
/// each, the last byte filled up. Nothing for none.
std::int64_t packed_pairs_bytes(std::span<const std::uint32_t> ascending_targets, int source_bits);
/// Whether so many ranks tell each other lengths by a message from each to each.
constexpr bool are_few(int ranks) { return ranks <= 16; }
/// A list of at most 4096 bytes travels among them in the message that tells its length. (Not where calls may
/// carry less, as in some tests: no run of a program is so.)
constexpr bool goes_with_length(int ranks, std::int64_t list_bytes) {
  return are_few(ranks) && list_bytes <= 4096;
}
/// Bits that tell `values` different values apart.
int bits_for(std::int64_t values);

}  // namespace isobath::reference
