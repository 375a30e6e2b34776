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
inline bool test_bit(const Word* words, std::size_t bit) {
  return (words[bit / word_bits] >> (bit % word_bits) & 1U) != 0;
}
inline void set_bit(std::span<Word> words, std::size_t bit) {
  words[bit / word_bits] |= Word{1} << (bit % word_bits);
}
/// Sets a bit; true where it was not set. By one thread: several have claim_bit().
/// @param words  many of them, or a pointer to the first
template <class Words>
bool mark_bit(Words&& words, std::size_t bit) {
  Word& word = words[bit / word_bits];
  const Word mask = Word{1} << (bit % word_bits);
  if ((word & mask) != 0) return false;
  word |= mask;
  return true;
}

/// Word w of a bitmap whose first `count` bits are set, no others.
constexpr Word word_of_first(std::size_t count, std::size_t w) {
  const std::size_t first = w * word_bits;
  return first + word_bits <= count ? ~Word{0} : first < count ? (Word{1} << (count - first)) - 1 : 0;
}
/// Sets the first `count` bits and clears the others.
inline void set_first(std::span<Word> words, std::size_t count) {
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = word_of_first(count, w);
}

/// By the team, where there are many.
void clear_words(std::span<Word> words);

/// How many are set.
std::size_t count_bits(std::span<const Word> words);

/// Calls visit(first + bit) for every set bit of a word, ascending.
template <class Index, class Visit>
void for_each_bit(Word word, Index first, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(first + static_cast<Index>(std::countr_zero(word)));
}
/// Calls visit(index) for every set bit, ascending.
template <class Visit>
void for_each_bit(std::span<const Word> words, Visit&& visit) {
  for (std::size_t w = 0; w < words.size(); ++w) for_each_bit(words[w], w * word_bits, visit);
}

/// Sets a bit from any thread; true for exactly one caller. The plain test first spares the locked operation.
inline bool claim_bit(std::span<Word> words, std::size_t bit) {
  const Word mask = Word{1} << (bit % word_bits);
  std::atomic_ref<Word> word(words[bit / word_bits]);
  if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
  return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
}

}  // namespace isobath
