// SPDX-License-Identifier: Apache-2.0
#include "base/bitmap.hpp"

namespace isobath {
namespace {

constexpr std::size_t worth_a_team = 32768;  // below, starting threads costs more than the words

}  // namespace

std::size_t count_bits(std::span<const Word> words) {
  std::size_t bits = 0;
#pragma omp parallel for schedule(static) reduction(+ : bits) if (words.size() > worth_a_team)
  for (std::size_t w = 0; w < words.size(); ++w) bits += static_cast<std::size_t>(std::popcount(words[w]));
  return bits;
}

void clear_words(std::span<Word> words) {
#pragma omp parallel for schedule(static) if (words.size() > worth_a_team)
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = 0;
}

}  // namespace isobath
