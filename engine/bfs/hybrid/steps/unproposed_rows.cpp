// SPDX-License-Identifier: Apache-2.0
#include "bfs/hybrid/steps/unproposed_rows.hpp"

namespace isobath {

UnproposedRows unproposed_rows_step(InstructionSet set) {
  return set == InstructionSet::avx512 ? unproposed_rows_avx512 : unproposed_rows_portable;
}

std::size_t unproposed_rows_portable(std::span<const std::uint32_t> rows, const Word* proposed,
                                     std::uint32_t* out) {
  std::size_t count = 0;
  for (const std::uint32_t row : rows) {
    out[count] = row;
    count += (proposed[row / word_bits] >> (row % word_bits) & 1U) == 0 ? 1U : 0U;
  }
  return count;
}

}  // namespace isobath
