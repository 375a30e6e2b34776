// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "sssp/path_steps.hpp"

namespace isobath {
namespace {

constexpr std::size_t lanes = 16;

// An arc is a target and a weight: evens and odds of two registers.
__m512i even_lanes() { return _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0); }
__m512i odd_lanes() { return _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1); }

/// Few arcs of a row bring anything nearer: sixteen are tested at once, and those few taken one by one.
void relax(const WeightedArc* arc, std::size_t count, float distance, std::uint32_t parent,
           const RelaxState& state) {
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t here = count - first < lanes ? count - first : lanes;
    const auto valid = static_cast<__mmask16>((1U << here) - 1U);
    const __m512i low = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(valid), arc + first);
    const __m512i high =
        _mm512_maskz_loadu_epi64(static_cast<__mmask8>(valid >> 8U), arc + first + lanes / 2);
    const __m512i to = _mm512_permutex2var_epi32(low, even_lanes(), high);
    const __m512 weight = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, odd_lanes(), high));
    const __m512 offered = _mm512_add_ps(_mm512_set1_ps(distance), weight);
    const __m512 held = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, to, state.distance, 4);
    unsigned nearer = _mm512_mask_cmp_ps_mask(valid, offered, held, _CMP_LT_OQ);
    if (nearer == 0) continue;
    alignas(64) float offers[lanes];
    _mm512_store_ps(offers, offered);
    for (; nearer != 0; nearer &= nearer - 1) {
      const auto i = static_cast<std::size_t>(__builtin_ctz(nearer));
      const std::uint32_t target = arc[first + i].to;
      state.distance[target] = offers[i];
      state.parent[target] = parent;
      state.changed[target / word_bits] |= Word{1} << (target % word_bits);
    }
  }
}

void add_over_arcs(const WeightedArc* arc, std::size_t count, const float* distance, float* out) {
  const __m512i evens = even_lanes();
  const __m512i odds = odd_lanes();
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const __m512i low = _mm512_loadu_si512(arc + i);
    const __m512i high = _mm512_loadu_si512(arc + i + lanes / 2);
    const __m512i to = _mm512_permutex2var_epi32(low, evens, high);
    const __m512 weight = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, odds, high));
    _mm512_storeu_ps(out + i, _mm512_add_ps(_mm512_i32gather_ps(to, distance, 4), weight));
  }
  path_steps_portable.add_over_arcs(arc + i, count - i, distance, out + i);
}

/// Streams leave isolated vertices out; each value goes to the lane of its vertex.
__m512i expand(__mmask16 present, const std::uint32_t* stream) {
  return _mm512_maskz_expand_epi32(present, _mm512_loadu_si512(stream));
}

void emit(const FoundPaths& found, std::size_t first_block, std::size_t end_block, GlobalVertex* parents,
          float* distances) {
  const OwnVertices& own = found.own;
  const __m512 nowhere = _mm512_set1_ps(unreached);
  const __m512i nobody = _mm512_set1_epi32(-1);
  std::size_t at = own.before[first_block];
  const std::size_t end = end_block * OwnVertices::block;
  for (std::size_t v = first_block * OwnVertices::block; v < end && v < own.size(); v += lanes) {
    const __mmask16 present = own.present[v / lanes];
    const __mmask16 computed = own.computed[v / lanes];
    const __m512i from = expand(present, own.from.data() + at);
    const __m512 by = _mm512_maskz_expand_ps(present, _mm512_loadu_ps(own.by.data() + at));
    const __m512i usual = expand(present, own.from_parent.data() + at);
    const __m512 above = _mm512_mask_i32gather_ps(nowhere, present, from, found.distance, 4);
    const __m512 distance = _mm512_add_ps(above, by);
    const __m512i of_computed = _mm512_mask_i32gather_epi32(usual, computed, from, found.parent, 4);
    const __mmask16 reached = _mm512_cmp_ps_mask(distance, nowhere, _CMP_LT_OQ);
    const __m512i parent = _mm512_mask_mov_epi32(nobody, reached, of_computed);
    _mm512_stream_ps(distances + v, distance);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(parents + v),
                        _mm512_cvtepi32_epi64(_mm512_castsi512_si256(parent)));
    _mm512_stream_si512(reinterpret_cast<__m512i*>(parents + v + lanes / 2),
                        _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(parent, 1)));
    at += static_cast<std::size_t>(__builtin_popcount(present));
  }
  _mm_sfence();
}

constexpr PathSteps steps{relax, add_over_arcs, emit};

}  // namespace

const PathSteps& path_steps_avx512() { return steps; }

}  // namespace isobath
