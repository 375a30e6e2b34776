// SPDX-License-Identifier: Apache-2.0
// Emit 16 originals at a time: the members of each stream are read one after the other and spread to their
// places by expand instructions; results leave as whole cache lines past the caches.
#include <immintrin.h>

#include <bit>

#include "sssp/emit_groups_avx512.hpp"
#include "sssp/sweep.hpp"

namespace isobath {
namespace {

struct Group {
  __m512 distance;
  __m512i parent;  // original, -1 where not reached
};

inline Group merge(const PathsToEmit& found, const std::uint16_t* mask, Next& next) {
  const __m512 nowhere = _mm512_set1_ps(unreached);
  Group group{nowhere, _mm512_set1_epi32(-1)};
  __m512i col = _mm512_setzero_si512();
  for (std::size_t s = 0; s < leaf_stream; ++s) {
    const __mmask16 members = mask[s];
    group.distance = _mm512_mask_expandloadu_ps(group.distance, members, found.distance + next[s]);
    col = _mm512_mask_expandloadu_epi32(col, members, found.parent + next[s]);
    next[s] += static_cast<std::size_t>(std::popcount(mask[s]));
  }
  const __mmask16 searched = _mm512_cmp_ps_mask(group.distance, nowhere, _CMP_LT_OQ);
  group.parent = _mm512_mask_i32gather_epi32(group.parent, searched, col, found.original_of_col, 4);
  const __mmask16 members = mask[leaf_stream];
  if (members == 0) return group;
  const Leaves& leaves = found.graph.leaves;
  const std::size_t leaf = next[leaf_stream];
  const __m512i neighbour = _mm512_maskz_expandloadu_epi32(members, leaves.neighbour_col.data() + leaf);
  const __m512 weight = _mm512_maskz_expandloadu_ps(members, leaves.weight.data() + leaf);
  const __m512 from = _mm512_mask_i32gather_ps(nowhere, members, neighbour, found.of_column, 4);
  group.distance = _mm512_mask_add_ps(group.distance, members, from, weight);
  const __mmask16 reached = _mm512_mask_cmp_ps_mask(members, group.distance, nowhere, _CMP_LT_OQ);
  const __m512i parent = _mm512_maskz_expandloadu_epi32(members, leaves.neighbour_offset.data() + leaf);
  group.parent = _mm512_mask_mov_epi32(group.parent, reached, parent);
  next[leaf_stream] += static_cast<std::size_t>(std::popcount(mask[leaf_stream]));
  return group;
}

}  // namespace

void emit_paths_avx512(const PathsToEmit& found, std::int64_t first_block, std::int64_t end_block) {
  for_each_group(found, first_block, end_block, [&](std::int64_t v, const std::uint16_t* mask, Next& next) {
    const Group group = merge(found, mask, next);
    auto* const parents = reinterpret_cast<__m512i*>(found.parents + v);
    _mm512_stream_si512(parents, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(group.parent)));
    _mm512_stream_si512(parents + 1, _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(group.parent, 1)));
    _mm512_stream_ps(found.distances + v, group.distance);
  });
}

}  // namespace isobath
