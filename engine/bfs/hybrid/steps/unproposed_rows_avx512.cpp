// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include <bit>

#include "bfs/hybrid/steps/unproposed_rows.hpp"

namespace isobath {

std::size_t unproposed_rows_avx512(std::span<const std::uint32_t> rows, const Word* proposed,
                                   std::uint32_t* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.size(); i += 16) {
    const std::size_t left = rows.size() - i;
    const auto lanes = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1);
    const __m512i row = _mm512_maskz_loadu_epi32(lanes, rows.data() + i);
    const __m512i words = _mm512_mask_i32gather_epi32(
        _mm512_setzero_si512(), lanes, _mm512_srli_epi32(row, 5), reinterpret_cast<const int*>(proposed), 4);
    const __m512i bits =
        _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(row, _mm512_set1_epi32(31)));
    const __mmask16 unproposed = _mm512_mask_testn_epi32_mask(lanes, words, bits);
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(unproposed, row));
    count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(unproposed)));
  }
  return count;
}

}  // namespace isobath
