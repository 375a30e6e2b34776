// SPDX-License-Identifier: Apache-2.0
#include "graph/sort_row.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isobath {
namespace {

constexpr std::uint32_t longest_insertion = 40;  // above, a radix pass over its 256 counters is cheaper

void insertion_sort(std::uint32_t* keys, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t key = keys[i];
    std::uint32_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

void radix_sort(std::uint32_t* keys, std::uint32_t count, int key_bits, std::vector<std::uint32_t>& scratch) {
  constexpr int digit_bits = 8;
  constexpr std::size_t digits = 4;
  if (scratch.size() < count) scratch.resize(count);
  std::array<std::array<std::uint32_t, 1 << digit_bits>, digits> start{};
  const auto passes = static_cast<std::size_t>((key_bits + digit_bits - 1) / digit_bits);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < passes; ++d) ++start[d][keys[i] >> (d * digit_bits) & 0xFF];
  }
  std::uint32_t* from = keys;
  std::uint32_t* to = scratch.data();
  for (std::size_t d = 0; d < passes; ++d) {
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : start[d]) sum += std::exchange(entry, sum);
    for (std::uint32_t i = 0; i < count; ++i) to[start[d][from[i] >> (d * digit_bits) & 0xFF]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy(from, from + count, keys);
}

}  // namespace

std::uint32_t sort_unique(std::uint32_t* keys, std::uint32_t count, int key_bits,
                          std::vector<std::uint32_t>& scratch, bool keep_duplicates) {
  if (count <= longest_insertion) {
    insertion_sort(keys, count);
  } else {
    radix_sort(keys, count, key_bits, scratch);
  }
  if (keep_duplicates) return count;
  return static_cast<std::uint32_t>(std::unique(keys, keys + count) - keys);
}

}  // namespace isobath
