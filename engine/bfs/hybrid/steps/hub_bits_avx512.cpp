// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "bfs/hybrid/steps/hub_bits.hpp"

namespace isobath {

void collect_hub_bits_avx512(std::span<const HubWord> hubs, const Word* visited, Word* out) {
  lay_hub_bits(hubs, visited, out, [](Word word, Word mask) { return Word{_pext_u64(word, mask)}; });
}

}  // namespace isobath
