// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/hub_bits.hpp"

#include <bit>

namespace isobath {

CollectHubBits collect_hub_bits_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? collect_hub_bits_avx512 : collect_hub_bits_portable;
}

void collect_hub_bits_portable(std::span<const HubWord> hubs, const Word* visited, Word* out) {
  lay_hub_bits(hubs, visited, out, [](Word word, Word mask) {
    if (mask == ~Word{0}) return word;
    Word bits = 0;
    for (int at = 0; mask != 0; mask &= mask - 1, ++at) bits |= (word >> std::countr_zero(mask) & 1U) << at;
    return bits;
  });
}

}  // namespace isobath
