// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "generator/edge_kernel.hpp"

// Thirty-two edges at a time, as two halves of sixteen lanes whose draws interleave (one draw takes about
// twelve cycles from the one before, and as long to issue for sixteen lanes). Needs AVX-512 F, CD, BW, DQ.
//
// Draws are 32-bit lanes. Products are 64-bit, made apart for even and for odd lanes; each half therefore
// also keeps its draws moved down by one lane. All constants are twice as large as they should be, so that
// after a product the bits above 2^31 fill the upper word and can be merged by one shuffle.

namespace isobath {
namespace {

constexpr int lanes = 16;
constexpr int group = 2 * lanes;
constexpr __mmask16 even_lanes = 0x5555;
constexpr __mmask16 odd_lanes = 0xAAAA;
constexpr auto upper_words = static_cast<_MM_PERM_ENUM>(0xF5);  // words 1 1 3 3 of every four
constexpr auto lower_words = static_cast<_MM_PERM_ENUM>(0xA0);  // words 0 0 2 2

using Lanes = __m512i;

[[gnu::always_inline]] inline Lanes all_lanes(std::uint32_t value) {
  return _mm512_set1_epi32(static_cast<int>(value));
}
[[gnu::always_inline]] inline Lanes all_wide(std::uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
[[gnu::always_inline]] inline __m256i lower(Lanes x) { return _mm512_castsi512_si256(x); }
[[gnu::always_inline]] inline __m256i upper(Lanes x) { return _mm512_extracti64x4_epi64(x, 1); }

/// The last five draws of sixteen edges, a ring, and the same moved down one lane.
struct Half {
  Lanes z[5];
  Lanes z_odd[5];
  Lanes v;       // bits of v so far
  Lanes differ;  // u xor v
  Lanes least;   // smallest draw
};

/// Residue of x < 2 * (2^31 - 1).
[[gnu::always_inline]] inline Lanes canonical(Lanes x) {
  return _mm512_min_epu32(x, _mm512_sub_epi32(x, all_lanes(0x7FFFFFFF)));
}

struct Words {
  Lanes high;  // the sums divided by 2^31
  Lanes low;   // and what is left
};

/// Of even and odd lanes' sums, given twice as large as they are: so the bits from 2^31 on fill the upper
/// words.
[[gnu::always_inline]] inline Words merged(Lanes even, Lanes odd) {
  return {_mm512_mask_shuffle_epi32(odd, even_lanes, even, upper_words),
          _mm512_srli_epi32(_mm512_mask_shuffle_epi32(even, odd_lanes, odd, lower_words), 1)};
}

/// The next draw; it takes the place of the oldest.
template <int newest, int oldest>
[[gnu::always_inline]] inline void draw(Half& half) {
  const Lanes multiplier_1 = all_wide(2 * 107374182);
  const Lanes multiplier_5 = all_wide(2 * 104480);
  const Lanes even = _mm512_add_epi64(_mm512_mul_epu32(half.z[newest], multiplier_1),
                                      _mm512_mul_epu32(half.z[oldest], multiplier_5));
  const Lanes odd = _mm512_add_epi64(_mm512_mul_epu32(half.z_odd[newest], multiplier_1),
                                     _mm512_mul_epu32(half.z_odd[oldest], multiplier_5));
  const Words sum = merged(even, odd);  // high < 2^28
  half.z[oldest] = canonical(_mm512_add_epi32(sum.low, sum.high));
  half.z_odd[oldest] = _mm512_srli_epi64(half.z[oldest], 32);
}

/// Chooses a quarter of the initiator by draw mod 10000, and notes its bits.
///
/// The comparisons need no remainder, only the fractional part of draw / 10000. In units of 2^-32 the
/// remainders lie 2^32 / 10000 = 429496.73 apart; draw * 429497 is too large by 0.2704 a unit, and all but
/// 48,339 of that goes away with 17720 times the upper half of the draw. So thresholds half a remainder off
/// decide rightly.
[[gnu::always_inline]] inline void descend(Half& half, Lanes drawn, Lanes level_bit) {
  constexpr double remainder = 4294967296.0 / 10000;
  constexpr double slack = 100000;
  constexpr auto below_bc = static_cast<std::uint32_t>(initiator_bc * remainder - slack);
  constexpr auto from_d = static_cast<std::uint32_t>((10000 - initiator_abc) * remainder + slack);
  constexpr auto below_db = static_cast<std::uint32_t>((10000 - initiator_abc + initiator_b) * remainder);
  half.least = _mm512_min_epu32(half.least, drawn);
  const Lanes fraction = _mm512_sub_epi32(_mm512_mullo_epi32(drawn, all_lanes(429497)),
                                          _mm512_madd_epi16(drawn, all_lanes(17720U << 16)));
  // u and v differ in the quarters B and C, [0, 0.38); v has a bit in D and B, which meet at 1: [0.95, 1.19).
  const __mmask16 differs = _mm512_cmplt_epu32_mask(fraction, all_lanes(below_bc));
  const __mmask16 in_v =
      _mm512_cmplt_epu32_mask(_mm512_add_epi32(fraction, all_lanes(from_d)), all_lanes(below_db));
  half.differ = _mm512_mask_or_epi32(half.differ, differs, half.differ, level_bit);
  half.v = _mm512_mask_or_epi32(half.v, in_v, half.v, level_bit);
}

template <int newest, int oldest>
[[gnu::always_inline]] inline void level(Half* halves, std::uint32_t bit) {
  for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
  for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[oldest], all_lanes(bit));
}

/// Levels first .. end - 1 (at most 32) into fresh bits, the highest first. `first` is 0 or a multiple of
/// five.
///
/// The first five draws stand in the ring. Level k's draw is z[4 - k % 5], at the end as in the beginning.
[[gnu::always_inline]] inline void levels(Half* halves, int first, int end) {
  for (int h = 0; h < 2; ++h) halves[h].v = halves[h].differ = _mm512_setzero_si512();
  std::uint32_t bit = std::uint32_t{1} << (end - first - 1);
  int left = end - first;
  if (first == 0) {
    for (int k = 0; k < 5; ++k, bit >>= 1) {
      for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[4 - k], all_lanes(bit));
    }
    left -= 5;
  }
  for (; left >= 5; left -= 5, bit >>= 5) {
    level<0, 4>(halves, bit);
    level<4, 3>(halves, bit >> 1);
    level<3, 2>(halves, bit >> 2);
    level<2, 1>(halves, bit >> 3);
    level<1, 0>(halves, bit >> 4);
  }
  if (left >= 1) level<0, 4>(halves, bit);
  if (left >= 2) level<4, 3>(halves, bit >> 1);
  if (left >= 3) level<3, 2>(halves, bit >> 2);
  if (left >= 4) level<2, 1>(halves, bit >> 3);
}

/// Loads a half's draws; leaves in their place those of the edges one group later.
[[gnu::always_inline]] inline void load_and_advance(const KernelSetup& setup, std::uint32_t* windows,
                                                    Half& half) {
  for (int i = 0; i < 5; ++i) {
    half.z[i] = _mm512_load_si512(windows + i * group);
    half.z_odd[i] = _mm512_srli_epi64(half.z[i], 32);
  }
  for (int i = 0; i < 5; ++i) {
    Lanes even = all_wide(setup.offset[i]);
    Lanes odd = even;
    for (int k = 0; k < 5; ++k) {
      const Lanes entry = _mm512_set1_epi64(setup.advance[i][k]);
      even = _mm512_add_epi64(even, _mm512_mul_epi32(half.z[k], entry));
      odd = _mm512_add_epi64(odd, _mm512_mul_epi32(half.z_odd[k], entry));
    }
    const Words sum = merged(even, odd);  // high < 2 * (2^31 - 1)
    _mm512_store_si512(windows + i * group, canonical(_mm512_add_epi32(sum.low, canonical(sum.high))));
  }
}

/// Bits of every byte reversed.
[[gnu::always_inline]] inline Lanes reversed_bytes(Lanes x) {
  const Lanes low_nibble = _mm512_set1_epi8(0x0F);
  const Lanes of_low =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0x00, -0x80, 0x40, -0x40, 0x20, -0x60, 0x60, -0x20, 0x10, -0x70,
                                           0x50, -0x30, 0x30, -0x50, 0x70, -0x10));
  const Lanes of_high =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
  const Lanes high = _mm512_and_si512(_mm512_srli_epi16(x, 4), low_nibble);
  return _mm512_or_si512(_mm512_shuffle_epi8(of_low, _mm512_and_si512(x, low_nibble)),
                         _mm512_shuffle_epi8(of_high, high));
}

[[gnu::always_inline]] inline Lanes reversed32(Lanes x) {
  const Lanes order =
      _mm512_broadcast_i32x4(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  return _mm512_shuffle_epi8(reversed_bytes(x), order);
}

[[gnu::always_inline]] inline Lanes reversed64(Lanes x) {
  const Lanes order =
      _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  return _mm512_shuffle_epi8(reversed_bytes(x), order);
}

/// The vertex permutation where scale <= 32: only the low bits of the specification's products are ever
/// looked at.
[[gnu::always_inline]] inline Lanes scrambled32(const KernelSetup& setup, Lanes x) {
  x = _mm512_add_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.addend)));
  x = reversed32(_mm512_mullo_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.multiplier0 >> 32))));
  return reversed32(_mm512_mullo_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.multiplier1 >> 32))));
}

[[gnu::always_inline]] inline Lanes scrambled64(const KernelSetup& setup, Lanes x) {
  x = reversed64(
      _mm512_mullo_epi64(_mm512_add_epi64(x, all_wide(setup.addend)), all_wide(setup.multiplier0)));
  return reversed64(_mm512_mullo_epi64(x, all_wide(setup.multiplier1)));
}

[[gnu::always_inline]] inline void store_wide(Edge* edges, Lanes u, Lanes v) {
  const Lanes first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const Lanes second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  _mm512_storeu_si512(edges, _mm512_permutex2var_epi64(u, first, v));
  _mm512_storeu_si512(edges + 4, _mm512_permutex2var_epi64(u, second, v));
}

/// Labels of sixteen edges where scale <= 32. The first level where u and v differ always gives v the bit.
[[gnu::always_inline]] inline void finish32(const KernelSetup& setup, const Half& half, EdgeOutput output) {
  const Lanes top_bit = all_lanes(0x80000000);
  const Lanes first_difference = _mm512_srlv_epi32(top_bit, _mm512_lzcnt_epi32(half.differ));
  const Lanes v_path = _mm512_or_si512(half.v, first_difference);
  const Lanes v = scrambled32(setup, v_path);
  const Lanes u = scrambled32(setup, _mm512_xor_si512(v_path, half.differ));
  const Lanes first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const Lanes second = _mm512_add_epi32(first, all_lanes(8));
  const Lanes pairs[2] = {_mm512_permutex2var_epi32(u, first, v), _mm512_permutex2var_epi32(u, second, v)};
  if (output.compact != nullptr) {
    _mm512_storeu_si512(output.compact, pairs[0]);
    _mm512_storeu_si512(output.compact + 8, pairs[1]);
  } else {
    for (int i = 0; i < 2; ++i) {
      _mm512_storeu_si512(output.edges + 8 * i, _mm512_cvtepu32_epi64(lower(pairs[i])));
      _mm512_storeu_si512(output.edges + 8 * i + 4, _mm512_cvtepu32_epi64(upper(pairs[i])));
    }
  }
}

/// The same for eight edges of any scale.
[[gnu::always_inline]] inline void finish64(const KernelSetup& setup, Lanes v, Lanes differ, Edge* edges) {
  const Lanes first_difference =
      _mm512_srlv_epi64(all_wide(std::uint64_t{1} << 63), _mm512_lzcnt_epi64(differ));
  const Lanes v_path = _mm512_or_si512(v, first_difference);
  store_wide(edges, scrambled64(setup, _mm512_xor_si512(v_path, differ)), scrambled64(setup, v_path));
}

[[gnu::always_inline]] inline Lanes joined(__m128i shift, __m256i high, __m256i low) {
  return _mm512_or_si512(_mm512_sll_epi64(_mm512_cvtepu32_epi64(high), shift), _mm512_cvtepu32_epi64(low));
}

/// Levels and labels where scale > 32: the upper levels' bits first, a multiple of five of them.
[[gnu::always_inline]] inline void descend_and_finish64(const KernelSetup& setup, Half* halves, Edge* edges) {
  const int upper_levels = (setup.scale - 32 + 4) / 5 * 5;
  const __m128i shift = _mm_cvtsi32_si128(setup.scale - upper_levels);
  levels(halves, 0, upper_levels);
  const Lanes v[2] = {halves[0].v, halves[1].v};
  const Lanes differ[2] = {halves[0].differ, halves[1].differ};
  levels(halves, upper_levels, setup.scale);
  for (int h = 0; h < 2; ++h) {
    const Half& half = halves[h];
    finish64(setup, joined(shift, lower(v[h]), lower(half.v)),
             joined(shift, lower(differ[h]), lower(half.differ)), edges + h * lanes);
    finish64(setup, joined(shift, upper(v[h]), upper(half.v)),
             joined(shift, upper(differ[h]), upper(half.differ)), edges + h * lanes + 8);
  }
}

template <int newest, int oldest>
[[gnu::always_inline]] inline void draw_weights(Half* halves, float* weights) {
  for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
  for (int h = 0; h < 2; ++h) {
    _mm512_storeu_ps(weights + h * lanes,
                     _mm512_mul_ps(_mm512_cvtepi32_ps(halves[h].z[oldest]), _mm512_set1_ps(weight_per_unit)));
  }
}

/// One more draw of every edge after those of `levels` levels, in the ring where level `levels` would be.
[[gnu::always_inline]] inline void store_weights(Half* halves, int levels, float* weights) {
  switch (levels % 5) {
    case 0:
      return draw_weights<0, 4>(halves, weights);
    case 1:
      return draw_weights<4, 3>(halves, weights);
    case 2:
      return draw_weights<3, 2>(halves, weights);
    case 3:
      return draw_weights<2, 1>(halves, weights);
    default:
      return draw_weights<1, 0>(halves, weights);
  }
}

/// Notes the lanes that drew a number to be drawn again; hardly ever any.
[[gnu::always_inline]] inline int note_rejected(const Half& half, int at, std::uint16_t* rejected) {
  unsigned wrong = _cvtmask16_u32(_mm512_cmplt_epu32_mask(half.least, all_lanes(rejected_below)));
  int count = 0;
  for (; wrong != 0; wrong &= wrong - 1)
    rejected[count++] = static_cast<std::uint16_t>(at + __builtin_ctz(wrong));
  return count;
}

int run(const KernelSetup& setup, std::uint32_t* windows, int groups, EdgeOutput output,
        std::uint16_t* rejected) {
  int num_rejected = 0;
  for (int at = 0; at < groups * group; at += group) {
    Half halves[2];
    for (int h = 0; h < 2; ++h) {
      load_and_advance(setup, windows + h * lanes, halves[h]);
      halves[h].least = all_lanes(rejected_below);
    }
    if (setup.scale <= 32) {
      levels(halves, 0, setup.scale);
      for (int h = 0; h < 2; ++h) finish32(setup, halves[h], output.from(at + h * lanes));
    } else {
      descend_and_finish64(setup, halves, output.edges + at);
    }
    if (output.weights != nullptr) store_weights(halves, setup.scale, output.weights + at);
    for (int h = 0; h < 2; ++h) {
      num_rejected += note_rejected(halves[h], at + h * lanes, rejected + num_rejected);
    }
  }
  return num_rejected;
}

}  // namespace

EdgeKernel avx512_edge_kernel() { return {run, group}; }

}  // namespace isobath
