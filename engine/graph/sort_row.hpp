// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitmap.hpp"

namespace isobath {

/// Sorts the rows that a thread has, one after the other: keys of so many bits. Short rows by insertion. Long
/// ones as bits, a bit set for each key and the bits read off, where all possible keys are few enough for a
/// bitmap in the caches: copies of a key are gone then, too. Others, and where copies are kept, by radix,
/// least significant byte first.
///
/// Memory: 4 bytes a key of the longest row that was sorted by radix; from the first row that was sorted as
/// bits on 2^key_bits bits and one for each 64 of them, 2 MiB at the most.
class RowSorter {
 public:
  /// @param key_bits  of any key, 32 at the most
  explicit RowSorter(int key_bits) : key_bits_(key_bits) {}

  /// Sorts keys[0 .. count) ascending and drops copies; returns how many remain at the front.
  std::uint32_t sort_unique(std::uint32_t* keys, std::uint32_t count);
  /// Copies kept, by insertion or by radix.
  void sort(std::uint32_t* keys, std::uint32_t count);

 private:
  bool suits_bits(std::uint32_t count) const;
  std::uint32_t sort_as_bits(std::uint32_t* keys, std::uint32_t count);
  void radix_sort(std::uint32_t* keys, std::uint32_t count);

  int key_bits_;
  std::vector<std::uint32_t> other_keys_;  // where a radix pass writes
  std::vector<Word> bits_;                 // by key; between rows none is set
  std::vector<Word> words_in_use_;         // a bit for each word of bits_
};

}  // namespace isobath
