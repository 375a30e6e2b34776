// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "sssp/path_steps.hpp"

namespace isobath {
namespace {

constexpr std::size_t lanes = 16;

void add_over_arcs(const WeightedArc* arc, std::size_t count, const float* distance, float* out) {
  // An arc is a target and a weight: evens and odds of two registers.
  const __m512i evens = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odds = _mm512_or_si512(evens, _mm512_set1_epi32(1));
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

/// Eight entries: one load each fetches distance and parent.
__m512i gather_entries(const PathEntry* entries, __m256i index) {
  return _mm512_i32gather_epi64(index, entries, sizeof(PathEntry));
}

void emit(const PathEntry* entries, const EntryOf& of, std::size_t begin, std::size_t end,
          GlobalVertex* parents, float* distances) {
  const __m512i evens = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  std::size_t v = begin;
  for (; v + lanes <= end; v += lanes) {
    const __m512i low =
        gather_entries(entries, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(of.entry + v)));
    const __m512i high = gather_entries(
        entries, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(of.entry + v + lanes / 2)));
    const __m512 distance = _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, evens, high));
    _mm512_stream_ps(distances + v, _mm512_add_ps(distance, _mm512_loadu_ps(of.weight + v)));
    // The parent is the upper half: shifted down with its sign, no_parent becomes -1.
    _mm512_stream_si512(reinterpret_cast<__m512i*>(parents + v), _mm512_srai_epi64(low, 32));
    _mm512_stream_si512(reinterpret_cast<__m512i*>(parents + v + lanes / 2), _mm512_srai_epi64(high, 32));
  }
  _mm_sfence();
  path_steps_portable.emit(entries, of, v, end, parents, distances);
}

constexpr PathSteps steps{add_over_arcs, emit};

}  // namespace

const PathSteps& path_steps_avx512() { return steps; }

}  // namespace isobath
