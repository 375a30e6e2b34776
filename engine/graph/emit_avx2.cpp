// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "graph/emit_kernels.hpp"

namespace isobath {

void widen_parents_avx2(const std::int32_t* parents, std::int64_t count, GlobalVertex* out) {
  constexpr std::int64_t lanes = 4;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const __m128i narrow = _mm_load_si128(reinterpret_cast<const __m128i*>(parents + i));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i), _mm256_cvtepi32_epi64(narrow));
  }
  widen_parents_portable(parents + i, count - i, out + i);
}

}  // namespace isobath
