// SPDX-License-Identifier: Apache-2.0
// A sweep over 16 rows at a time. Nearly every row is done with its lightest arc; what needs more than the
// streams goes to its row one by one.
#include <immintrin.h>

#include <algorithm>
#include <bit>

#include "sssp/sweep.hpp"

namespace isobath {
namespace {

constexpr std::size_t lanes = 16;
static_assert(lanes == rows_of_entry);

/// Relaxes the k-th arc of the rows in `active`; returns those whose next arc may still help.
inline __mmask16 relax_light(const SweepTask& task, std::size_t row, std::size_t k, __m512 weight,
                             __mmask16 active, __m512 next_weight, __m512& best, __m512i& parent) {
  const __m512i source = _mm512_maskz_loadu_epi32(active, task.streams.source[k].data() + row);
  const __m512 from = _mm512_mask_i32gather_ps(best, active, source, task.source, 4);
  const __m512 offer = _mm512_add_ps(from, weight);
  const __mmask16 better = _mm512_mask_cmp_ps_mask(active, offer, best, _CMP_LT_OQ);
  best = _mm512_mask_mov_ps(best, better, offer);
  parent = _mm512_mask_mov_epi32(parent, better, source);
  const __m512 least_offer = _mm512_add_ps(_mm512_set1_ps(task.least_source), next_weight);
  return _mm512_mask_cmp_ps_mask(active, least_offer, best, _CMP_LT_OQ);
}

template <std::size_t light>
std::int64_t relax_rests(const SweepTask& task, std::size_t row, __mmask16 active, __m512& best,
                         __m512i& parent) {
  alignas(64) float bests[lanes];
  alignas(64) std::uint32_t parents[lanes];
  _mm512_store_ps(bests, best);
  _mm512_store_si512(parents, parent);
  std::int64_t arcs = 0;
  for (unsigned rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    arcs += relax_rest<light>(task, row + lane, bests[lane], parents[lane]);
  }
  best = _mm512_load_ps(bests);
  parent = _mm512_load_si512(parents);
  return arcs;
}

/// @tparam light  arcs of a row in streams
template <std::size_t light>
SweepCounts sweep_rows(const SweepTask& task, std::size_t first, std::size_t end) {
  SweepCounts counts;
  const PullStreams& streams = task.streams;
  const __m512 settled = _mm512_set1_ps(task.settled);
  const __m512 least_source = _mm512_set1_ps(task.least_source);
  __m512 least_changed = _mm512_set1_ps(unreached);
  const float* const lightest = (light > 0 ? streams.weight[0] : streams.next_weight).data();
  std::int64_t arcs = 0;
  for (std::size_t row = first; row < end; row += lanes) {
    const __m512 before = _mm512_loadu_ps(task.distance + row);
    const __m512 weight = _mm512_loadu_ps(lightest + row);
    __mmask16 active = _mm512_cmp_ps_mask(before, settled, _CMP_GT_OQ);
    active = _mm512_mask_cmp_ps_mask(active, _mm512_add_ps(least_source, weight), before, _CMP_LT_OQ);
    if (active == 0) continue;
    __m512 best = before;
    __m512i parent = _mm512_setzero_si512();
    __m512 of_arc = weight;
    for (std::size_t k = 0; active != 0; ++k) {
      if (k == light) {
        arcs += relax_rests<light>(task, row, active, best, parent);
        break;
      }
      arcs += std::popcount(static_cast<unsigned>(active));
      const float* const next = (k + 1 < light ? streams.weight[k + 1] : streams.next_weight).data();
      const __m512 of_next = _mm512_loadu_ps(next + row);
      active = relax_light(task, row, k, of_arc, active, of_next, best, parent);
      of_arc = of_next;
    }
    const __mmask16 changed = _mm512_cmp_ps_mask(best, before, _CMP_LT_OQ);
    if (changed == 0) continue;
    _mm512_mask_storeu_ps(task.distance + row, changed, best);
    _mm512_mask_storeu_epi32(task.parent + row, changed, parent);
    std::uint16_t& lowered = task.lowered[row / rows_of_entry];
    lowered = static_cast<std::uint16_t>(lowered | changed);
    counts.changed += std::popcount(static_cast<unsigned>(changed));
    least_changed = _mm512_mask_min_ps(least_changed, changed, least_changed, best);
  }
  counts.arcs_relaxed = arcs;
  alignas(64) float leasts[lanes];
  _mm512_store_ps(leasts, least_changed);
  counts.least_changed = *std::min_element(leasts, leasts + lanes);
  return counts;
}

}  // namespace

SweepCounts sweep_avx512(const SweepTask& task, std::size_t first, std::size_t end) {
  return task.streams.has_light ? sweep_rows<num_light>(task, first, end) : sweep_rows<0>(task, first, end);
}

}  // namespace isobath
