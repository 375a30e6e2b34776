// SPDX-License-Identifier: Apache-2.0
#include "graph/sort_row.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace isobath {
namespace {

constexpr std::uint32_t longest_insertion = 40;  // above, a bit for each key, and a radix pass, are cheaper
constexpr int most_bits = 24;                    // of keys that are sorted as bits: 2 MiB

void insertion_sort(std::uint32_t* keys, std::uint32_t count) {
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t key = keys[i];
    std::uint32_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

}  // namespace

/// All of words_in_use_ is looked through for a row, at a third of a nanosecond a word; a key saves some 6 ns
/// against radix, which has 768 counters to add up for a row.
bool RowSorter::suits_bits(std::uint32_t count) const {
  if (key_bits_ > most_bits) return false;
  const std::uint64_t looked_through = (std::uint64_t{1} << key_bits_) / (word_bits * word_bits);
  return looked_through <= 1024 + 16 * std::uint64_t{count};
}

std::uint32_t RowSorter::sort_as_bits(std::uint32_t* keys, std::uint32_t count) {
  if (bits_.empty()) {
    bits_.resize(words_for(std::size_t{1} << key_bits_));
    words_in_use_.resize(words_for(bits_.size()));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    set_bit(bits_, keys[i]);
    set_bit(words_in_use_, keys[i] / word_bits);
  }
  std::uint32_t* end = keys;
  for (std::size_t w = 0; w < words_in_use_.size(); ++w) {
    for_each_bit(std::exchange(words_in_use_[w], 0), w * word_bits, [&](std::size_t word) {
      for_each_bit(std::exchange(bits_[word], 0), static_cast<std::uint32_t>(word * word_bits),
                   [&](std::uint32_t key) { *end++ = key; });
    });
  }
  return static_cast<std::uint32_t>(end - keys);
}

void RowSorter::radix_sort(std::uint32_t* keys, std::uint32_t count) {
  constexpr int digit_bits = 8;
  constexpr std::size_t digits = 4;
  if (other_keys_.size() < count) other_keys_.resize(count);
  std::array<std::array<std::uint32_t, 1 << digit_bits>, digits> start{};
  const auto passes = static_cast<std::size_t>((key_bits_ + digit_bits - 1) / digit_bits);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < passes; ++d) ++start[d][keys[i] >> (d * digit_bits) & 0xFF];
  }
  std::uint32_t* from = keys;
  std::uint32_t* to = other_keys_.data();
  for (std::size_t d = 0; d < passes; ++d) {
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : start[d]) sum += std::exchange(entry, sum);
    for (std::uint32_t i = 0; i < count; ++i) to[start[d][from[i] >> (d * digit_bits) & 0xFF]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy(from, from + count, keys);
}

std::uint32_t RowSorter::sort_unique(std::uint32_t* keys, std::uint32_t count) {
  if (count > longest_insertion && suits_bits(count)) return sort_as_bits(keys, count);
  sort(keys, count);
  return static_cast<std::uint32_t>(std::unique(keys, keys + count) - keys);
}

void RowSorter::sort(std::uint32_t* keys, std::uint32_t count) {
  if (count <= longest_insertion) return insertion_sort(keys, count);
  radix_sort(keys, count);
}

}  // namespace isobath
