// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isobath {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;
/// Owners' pieces of a bitmap are padded to this many bits, one cache line, so that pieces can be moved by
/// whole lines and no two ranks or threads write the same one.
inline constexpr std::size_t piece_bits = 512;

constexpr std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }
constexpr std::size_t padded_bits(std::size_t bits) {
  return (bits + piece_bits - 1) / piece_bits * piece_bits;
}

inline bool test_bit(std::span<const Word> words, std::size_t bit) {
  return (words[bit / word_bits] >> (bit % word_bits) & 1U) != 0;
}
inline void set_bit(std::span<Word> words, std::size_t bit) {
  words[bit / word_bits] |= Word{1} << (bit % word_bits);
}

/// By the team, where there are many.
void clear_words(std::span<Word> words);

/// How many are set.
std::size_t count_bits(std::span<const Word> words);

/// Calls visit(index) for every set bit, ascending.
template <class Visit>
void for_each_bit(std::span<const Word> words, Visit&& visit) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (Word word = words[w]; word != 0; word &= word - 1) {
      visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

/// Sets a bit from any thread; true for exactly one caller. The plain test first spares the locked operation.
inline bool claim_bit(std::span<Word> words, std::size_t bit) {
  const Word mask = Word{1} << (bit % word_bits);
  std::atomic_ref<Word> word(words[bit / word_bits]);
  if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
  return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
}

}  // namespace isobath
