// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace isobath {

namespace flagged {
/// Bit i is set where one of the four lowest bits of bytes[i] is: byte by byte into bits, eight at a time.
inline std::uint64_t bits_of(const std::uint8_t* sixty_four) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t lowest_of_bytes = 0x0101010101010101;
  constexpr std::uint64_t gather_lowest = 0x0102040810204080;  // takes the lowest bit of byte i to bit 56 + i
  std::uint64_t bits = 0;
  for (std::size_t octet = 0; octet < 8; ++octet) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, sixty_four + 8 * octet, 8);
    bytes |= bytes >> 2;
    bytes |= bytes >> 1;
    bits |= (bytes & lowest_of_bytes) * gather_lowest >> 56 << (8 * octet);
  }
  return bits;
}
}  // namespace flagged

/// Calls visit(i) for each of `size` bytes below 16 that is not zero, in order. Behind them is room up to the
/// next multiple of 64.
///
/// Edges with a class lie scattered: a branch on each edge would often be foretold wrongly, one on every 64
/// is not.
template <class Visit>
void for_each_flagged(const std::uint8_t* bytes, std::size_t size, const Visit& visit) {
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t left = flagged::bits_of(bytes + first);
    if (size - first < 64) left &= (std::uint64_t{1} << (size - first)) - 1;
    for (; left != 0; left &= left - 1) visit(first + static_cast<std::size_t>(std::countr_zero(left)));
  }
}

}  // namespace isobath
