// SPDX-License-Identifier: Apache-2.0
#include "base/bitmap.hpp"

namespace isobath {

void clear_words(std::span<Word> words) {
  constexpr std::size_t worth_a_team = 32768;  // below, starting threads costs more than the stores
#pragma omp parallel for schedule(static) if (words.size() > worth_a_team)
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = 0;
}

}  // namespace isobath
