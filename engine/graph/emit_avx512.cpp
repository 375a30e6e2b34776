// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include <bit>

#include "graph/emit_kernels.hpp"

namespace isobath {

void collect_others_avx512(const FoundOneColumn& found, std::size_t begin, std::size_t end,
                           OtherParents& others) {
  constexpr std::size_t lanes = 16;
  const std::uint32_t* const original = found.graph.numbering.original.data();
  std::size_t count = others.count;
  for (std::size_t w = begin / word_bits; w * word_bits < end; ++w) {
    Word members = found.visited[w] & ~found.by_first_neighbour[w] & bits_inside(w, begin, end);
    for (std::size_t at = w * word_bits; members != 0; at += lanes, members >>= lanes) {
      const auto mask = static_cast<__mmask16>(members);
      const __m512i originals = _mm512_maskz_loadu_epi32(mask, original + at);
      const __m512i cols = _mm512_maskz_loadu_epi32(mask, found.parent_col + at);
      _mm512_storeu_si512(others.original + count, _mm512_maskz_compress_epi32(mask, originals));
      _mm512_storeu_si512(others.col + count, _mm512_maskz_compress_epi32(mask, cols));
      count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(mask)));
    }
  }
  others.count = count;
}

void widen_parents_avx512(const std::int32_t* parents, std::int64_t count, GlobalVertex* out) {
  constexpr std::int64_t lanes = 8;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const __m256i narrow = _mm256_load_si256(reinterpret_cast<const __m256i*>(parents + i));
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out + i), _mm512_cvtepi32_epi64(narrow));
  }
  widen_parents_portable(parents + i, count - i, out + i);
}

}  // namespace isobath
