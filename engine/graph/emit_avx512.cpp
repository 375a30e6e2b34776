// SPDX-License-Identifier: Apache-2.0
// Emit with expand instructions: per block of originals the parents of each stream are built in a small
// buffer by sequential reads, then the streams are merged by their masks and leave as whole cache lines past
// the caches.
#include <immintrin.h>

#include <bit>

#include "graph/emit_parents.hpp"

namespace isobath {
namespace {

constexpr std::size_t lanes = 16;

/// 16 bits of a bitmap from any position on.
inline __mmask16 bits_at(const Word* words, std::size_t bit) {
  std::uint32_t around;
  __builtin_memcpy(&around, reinterpret_cast<const char*>(words) + bit / 8, sizeof around);
  return static_cast<__mmask16>(around >> (bit % 8));
}

/// Room for what is known of a block: one value for each of its originals, and a vector to spill into.
using BlockValues = std::uint32_t[emit_block + lanes];

/// Parents of searched vertices [first, first + count) into `values`, 32-bit, -1 where not visited. Those
/// found by their first neighbour are copied; the others wait in a list, so that looking them up holds nobody
/// up.
void fill_searched(const FoundHere& found, std::size_t first, std::size_t count, std::uint32_t* values) {
  const Graph& graph = found.graph;
  const __m512i none = _mm512_set1_epi32(-1);
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  alignas(64) BlockValues place;
  alignas(64) BlockValues col;
  std::size_t waiting = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    const std::size_t at = first + i;
    const __mmask16 visited = bits_at(found.visited, at);
    const __mmask16 by_first = bits_at(found.first_found, at);
    const __m512i value = _mm512_mask_loadu_epi32(none, visited, graph.first_original.data() + at);
    _mm512_storeu_si512(values + i, value);
    const auto others = static_cast<__mmask16>(visited & ~by_first);
    const __m512i cols = _mm512_maskz_loadu_epi32(others, found.parent_col + at);
    const __m512i places = _mm512_add_epi32(lane, _mm512_set1_epi32(static_cast<int>(i)));
    _mm512_storeu_si512(col + waiting, _mm512_maskz_compress_epi32(others, cols));
    _mm512_storeu_si512(place + waiting, _mm512_maskz_compress_epi32(others, places));
    waiting += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(others)));
  }
  for (std::size_t i = 0; i < waiting; ++i) values[place[i]] = graph.column_original[col[i]];
}

void fill_leaves(const FoundHere& found, std::size_t first, std::size_t count, std::uint32_t* values) {
  const Leaves& leaves = found.graph.leaves;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto valid = static_cast<__mmask16>(count - i >= lanes ? 0xFFFFU : (1U << (count - i)) - 1U);
    const __m512i cols = _mm512_maskz_loadu_epi32(valid, leaves.neighbour_col.data() + first + i);
    const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), valid,
                                                      _mm512_srli_epi32(cols, 5), found.visited_cols, 4);
    const __m512i bit =
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(cols, _mm512_set1_epi32(31)));
    const __mmask16 reached = _mm512_mask_test_epi32_mask(valid, words, bit);
    const __m512i value =
        _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), reached, leaves.neighbour_offset.data() + first + i);
    _mm512_storeu_si512(values + i, value);
  }
}

}  // namespace

void emit_blocks_avx512(const FoundHere& found, std::int64_t first_block, std::int64_t end_block,
                        GlobalVertex* out) {
  const Numbering& numbering = found.graph.numbering;
  alignas(64) BlockValues values;
  for (std::int64_t block = first_block; block < end_block; ++block) {
    if ((block + 1) * emit_block > numbering.num_originals) {
      emit_blocks_portable(found, block, end_block, out);
      return;
    }
    const std::uint32_t* const before =
        numbering.first.data() + block * static_cast<std::int64_t>(num_streams);
    const bool last = block + 1 == numbering.num_emit_blocks();
    const std::uint32_t* next[num_streams];
    std::uint32_t* fill = values;  // each stream spills into the place of the next, which is filled after it
    for (std::size_t s = 0; s < num_streams; ++s) {
      const std::size_t total =
          s == leaf_stream ? numbering.leaves() : numbering.class_start[s + 2] - numbering.class_start[s + 1];
      const std::size_t end = last ? total : before[num_streams + s];
      if (s == leaf_stream) {
        fill_leaves(found, before[s], end - before[s], fill);
      } else {
        fill_searched(found, numbering.class_start[s + 1] + before[s], end - before[s], fill);
      }
      next[s] = fill;
      fill += end - before[s];
    }
    const std::uint16_t* mask =
        numbering.mask.data() + block * (emit_block / mask_vertices) * static_cast<std::int64_t>(num_streams);
    GlobalVertex* const end = out + (block + 1) * emit_block;
    for (GlobalVertex* slot = out + block * emit_block; slot < end; slot += lanes, mask += num_streams) {
      __m512i merged = _mm512_set1_epi32(-1);
      for (std::size_t s = 0; s < num_streams; ++s) {
        merged = _mm512_mask_expandloadu_epi32(merged, mask[s], next[s]);
        next[s] += std::popcount(mask[s]);
      }
      _mm512_stream_si512(reinterpret_cast<__m512i*>(slot),
                          _mm512_cvtepi32_epi64(_mm512_castsi512_si256(merged)));
      _mm512_stream_si512(reinterpret_cast<__m512i*>(slot + lanes / 2),
                          _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(merged, 1)));
    }
  }
  _mm_sfence();
}

}  // namespace isobath
