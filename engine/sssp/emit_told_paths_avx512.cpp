// SPDX-License-Identifier: Apache-2.0
// Emit on several grid columns, 16 originals at a time, as emit_paths_avx512.cpp has it; a parent is a column
// here, or an original number of 64 bits that travelled.
#include <immintrin.h>

#include <bit>

#include "sssp/emit_groups_avx512.hpp"
#include "sssp/sweep.hpp"
#include "sssp/tentative_paths.hpp"

namespace isobath {
namespace {

/// 16 numbers of 64 bits.
struct Wide {
  __m512i low;
  __m512i high;
};

inline Wide wide(__m512i values) {
  return {_mm512_cvtepu32_epi64(_mm512_castsi512_si256(values)),
          _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(values, 1))};
}

/// The next of a stream, to the lanes of its members.
inline void expand(Wide& to, __mmask16 members, const std::int64_t* next) {
  const auto low = static_cast<__mmask8>(members);
  const auto high = static_cast<__mmask8>(members >> 8);
  to.low = _mm512_mask_expandloadu_epi64(to.low, low, next);
  to.high = _mm512_mask_expandloadu_epi64(to.high, high, next + std::popcount(static_cast<unsigned>(low)));
}

inline void select(Wide& to, __mmask16 lanes_of_other, const Wide& other) {
  to.low = _mm512_mask_mov_epi64(to.low, static_cast<__mmask8>(lanes_of_other), other.low);
  to.high = _mm512_mask_mov_epi64(to.high, static_cast<__mmask8>(lanes_of_other >> 8), other.high);
}

struct Group {
  __m512 distance;
  Wide parent;  // original, -1 where not reached
};

inline Group merge(const PathsToEmit& found, const std::uint16_t* mask, Next& next) {
  const __m512 nowhere = _mm512_set1_ps(unreached);
  const __m512i nobody = _mm512_set1_epi64(-1);
  const __m512i no_column = _mm512_set1_epi32(-1);
  static_assert(TentativePaths::not_a_column == 0xFFFFFFFF);
  Group group{nowhere, {nobody, nobody}};
  Wide told{nobody, nobody};
  __m512i col = no_column;
  for (std::size_t s = 0; s < leaf_stream; ++s) {
    const __mmask16 members = mask[s];
    if (members == 0) continue;
    group.distance = _mm512_mask_expandloadu_ps(group.distance, members, found.distance + next[s]);
    col = _mm512_mask_expandloadu_epi32(col, members, found.parent + next[s]);
    const __mmask16 travelled = _mm512_mask_cmpeq_epi32_mask(members, col, no_column);
    if (travelled != 0) expand(told, members, found.original_parent.data() + next[s]);
    next[s] += static_cast<std::size_t>(std::popcount(mask[s]));
  }
  const __mmask16 reached = _mm512_cmp_ps_mask(group.distance, nowhere, _CMP_LT_OQ);
  const __mmask16 here = _mm512_mask_cmpneq_epi32_mask(reached, col, no_column);
  Wide of_columns = wide(_mm512_mask_i32gather_epi32(no_column, here, col, found.original_of_col, 4));
  const __m512i first = _mm512_set1_epi64(found.graph.layout.first_col_original());
  of_columns = {_mm512_add_epi64(of_columns.low, first), _mm512_add_epi64(of_columns.high, first)};
  select(group.parent, static_cast<__mmask16>(reached & ~here), told);
  select(group.parent, here, of_columns);
  const __mmask16 members = mask[leaf_stream];
  if (members == 0) return group;
  const std::size_t leaf = next[leaf_stream];
  group.distance = _mm512_mask_expandloadu_ps(group.distance, members, found.leaf_distance.data() + leaf);
  Wide neighbour{nobody, nobody};
  expand(neighbour, members, found.graph.leaves.neighbour.data() + leaf);
  select(group.parent, _mm512_mask_cmp_ps_mask(members, group.distance, nowhere, _CMP_LT_OQ), neighbour);
  next[leaf_stream] += static_cast<std::size_t>(std::popcount(mask[leaf_stream]));
  return group;
}

}  // namespace

void emit_told_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block) {
  for_each_group(found, first_block, end_block, [&](std::int64_t v, const std::uint16_t* mask, Next& next) {
    const Group group = merge(found, mask, next);
    auto* const parents = reinterpret_cast<__m512i*>(found.parents + v);
    _mm512_stream_si512(parents, group.parent.low);
    _mm512_stream_si512(parents + 1, group.parent.high);
    _mm512_stream_ps(found.distances + v, group.distance);
  });
}

}  // namespace isobath
