// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bitmap.hpp"
#include "base/instruction_set.hpp"
#include "base/vertex.hpp"
#include "graph/emit_parents.hpp"

namespace isobath {

/// Vertices of one emit block whose parent is not the likely one, and the columns of their parents.
struct OtherParents {
  static constexpr std::size_t spill = 16;  // room for a vector behind the last
  std::size_t count = 0;
  std::uint32_t original[emit_block + spill];
  std::uint32_t col[emit_block + spill];
};

/// Bits [begin_bit, end_bit) of a bitmap, as they stand in one of its words.
inline Word bits_inside(std::size_t word, std::size_t begin_bit, std::size_t end_bit) {
  const std::size_t base = word * word_bits;
  Word mask = ~Word{0};
  if (begin_bit > base) mask &= ~Word{0} << (begin_bit - base);
  if (end_bit < base + word_bits) mask &= ~(~Word{0} << (end_bit - base));
  return mask;
}

/// Adds those of the working numbers [begin, end) that are visited and not found by their first neighbour.
using CollectOthers = void (*)(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                               OtherParents& others);
void collect_others_portable(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                             OtherParents& others);
void collect_others_avx512(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                           OtherParents& others);

CollectOthers collect_others(InstructionSet set);

/// Writes `count` parents, of 32 bits, as 64-bit numbers, past the caches where it can. Both begin a cache
/// line.
using WidenParents = void (*)(const std::int32_t* parents, std::int64_t count, GlobalVertex* out);
void widen_parents_portable(const std::int32_t* parents, std::int64_t count, GlobalVertex* out);
void widen_parents_avx2(const std::int32_t* parents, std::int64_t count, GlobalVertex* out);
void widen_parents_avx512(const std::int32_t* parents, std::int64_t count, GlobalVertex* out);
WidenParents widen_parents(InstructionSet set);

/// Copies a block, and asks for the one behind it. One memcpy would become `rep movs`, which waits for
/// memory.
void copy_block(const std::int32_t* from, std::int32_t* to);

}  // namespace isobath
