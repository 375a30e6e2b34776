// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "generator/edge_kernel.hpp"

// Sixteen edges at a time, as two halves of eight lanes whose draws interleave. The arithmetic is that of the
// AVX-512 kernel, which explains it; here masks are vectors, and comparisons are signed.

namespace isobath {
namespace {

constexpr int lanes = 8;
constexpr int group = 2 * lanes;
constexpr int odd_lanes = 0xAA;

using Lanes = __m256i;

[[gnu::always_inline]] inline Lanes all_lanes(std::uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}
[[gnu::always_inline]] inline Lanes all_wide(std::uint64_t value) {
  return _mm256_set1_epi64x(static_cast<long long>(value));
}
[[gnu::always_inline]] inline __m128i lower(Lanes x) { return _mm256_castsi256_si128(x); }
[[gnu::always_inline]] inline __m128i upper(Lanes x) { return _mm256_extracti128_si256(x, 1); }
[[gnu::always_inline]] inline void store(void* to, Lanes x) {
  _mm256_storeu_si256(static_cast<Lanes*>(to), x);
}

/// The last five draws of eight edges, a ring, and the same moved down one lane.
struct Half {
  Lanes z[5];
  Lanes z_odd[5];
  Lanes v;       // bits of v so far
  Lanes differ;  // u xor v
  Lanes least;   // smallest draw
};

/// Residue of x < 2 * (2^31 - 1).
[[gnu::always_inline]] inline Lanes canonical(Lanes x) {
  return _mm256_min_epu32(x, _mm256_sub_epi32(x, all_lanes(0x7FFFFFFF)));
}

struct Words {
  Lanes high;  // the sums divided by 2^31
  Lanes low;   // and what is left
};

/// Of even and odd lanes' sums, given twice as large as they are.
[[gnu::always_inline]] inline Words merged(Lanes even, Lanes odd) {
  return {_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, odd_lanes),
          _mm256_srli_epi32(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), odd_lanes), 1)};
}

/// The next draw; it takes the place of the oldest.
template <int newest, int oldest>
[[gnu::always_inline]] inline void draw(Half& half) {
  const Lanes multiplier_1 = all_wide(2 * 107374182);
  const Lanes multiplier_5 = all_wide(2 * 104480);
  const Lanes even = _mm256_add_epi64(_mm256_mul_epu32(half.z[newest], multiplier_1),
                                      _mm256_mul_epu32(half.z[oldest], multiplier_5));
  const Lanes odd = _mm256_add_epi64(_mm256_mul_epu32(half.z_odd[newest], multiplier_1),
                                     _mm256_mul_epu32(half.z_odd[oldest], multiplier_5));
  const Words sum = merged(even, odd);
  half.z[oldest] = canonical(_mm256_add_epi32(sum.low, sum.high));
  half.z_odd[oldest] = _mm256_srli_epi64(half.z[oldest], 32);
}

/// Chooses a quarter of the initiator by draw mod 10000, and notes its bits.
[[gnu::always_inline]] inline void descend(Half& half, Lanes drawn) {
  constexpr double remainder = 4294967296.0 / 10000;
  constexpr double slack = 100000;
  constexpr std::uint32_t sign = 0x80000000;  // unsigned comparisons become signed ones
  constexpr auto below_bc = static_cast<std::uint32_t>(initiator_bc * remainder - slack);
  constexpr auto from_d = static_cast<std::uint32_t>((10000 - initiator_abc) * remainder + slack);
  constexpr auto below_db = static_cast<std::uint32_t>((10000 - initiator_abc + initiator_b) * remainder);
  half.least = _mm256_min_epu32(half.least, drawn);
  const Lanes fraction = _mm256_sub_epi32(_mm256_mullo_epi32(drawn, all_lanes(429497)),
                                          _mm256_madd_epi16(drawn, all_lanes(17720U << 16)));
  const Lanes differs =
      _mm256_cmpgt_epi32(all_lanes(below_bc ^ sign), _mm256_add_epi32(fraction, all_lanes(sign)));
  const Lanes in_v =
      _mm256_cmpgt_epi32(all_lanes(below_db ^ sign), _mm256_add_epi32(fraction, all_lanes(from_d ^ sign)));
  half.differ = _mm256_sub_epi32(_mm256_add_epi32(half.differ, half.differ), differs);  // true is -1
  half.v = _mm256_sub_epi32(_mm256_add_epi32(half.v, half.v), in_v);
}

template <int newest, int oldest>
[[gnu::always_inline]] inline void level(Half* halves) {
  for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
  for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[oldest]);
}

/// Levels first .. end - 1 (at most 32) into fresh bits. `first` is 0 or a multiple of five.
[[gnu::always_inline]] inline void levels(Half* halves, int first, int end) {
  for (int h = 0; h < 2; ++h) halves[h].v = halves[h].differ = _mm256_setzero_si256();
  int left = end - first;
  if (first == 0) {
    for (int k = 0; k < 5; ++k) {
      for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[4 - k]);
    }
    left -= 5;
  }
  for (; left >= 5; left -= 5) {
    level<0, 4>(halves);
    level<4, 3>(halves);
    level<3, 2>(halves);
    level<2, 1>(halves);
    level<1, 0>(halves);
  }
  if (left >= 1) level<0, 4>(halves);
  if (left >= 2) level<4, 3>(halves);
  if (left >= 3) level<3, 2>(halves);
  if (left >= 4) level<2, 1>(halves);
}

/// Loads a half's draws; leaves in their place those of the edges one group later.
[[gnu::always_inline]] inline void load_and_advance(const KernelSetup& setup, std::uint32_t* windows,
                                                    Half& half) {
  for (int i = 0; i < 5; ++i) {
    half.z[i] = _mm256_load_si256(reinterpret_cast<const Lanes*>(windows + i * group));
    half.z_odd[i] = _mm256_srli_epi64(half.z[i], 32);
  }
  for (int i = 0; i < 5; ++i) {
    Lanes even = all_wide(setup.offset[i]);
    Lanes odd = even;
    for (int k = 0; k < 5; ++k) {
      const Lanes entry = _mm256_set1_epi64x(setup.advance[i][k]);
      even = _mm256_add_epi64(even, _mm256_mul_epi32(half.z[k], entry));
      odd = _mm256_add_epi64(odd, _mm256_mul_epi32(half.z_odd[k], entry));
    }
    const Words sum = merged(even, odd);
    store(windows + i * group, canonical(_mm256_add_epi32(sum.low, canonical(sum.high))));
  }
}

/// Bits of every byte reversed.
[[gnu::always_inline]] inline Lanes reversed_bytes(Lanes x) {
  const Lanes low_nibble = _mm256_set1_epi8(0x0F);
  const Lanes of_low =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0x00, -0x80, 0x40, -0x40, 0x20, -0x60, 0x60, -0x20, 0x10,
                                                -0x70, 0x50, -0x30, 0x30, -0x50, 0x70, -0x10));
  const Lanes of_high =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
  const Lanes high = _mm256_and_si256(_mm256_srli_epi16(x, 4), low_nibble);
  return _mm256_or_si256(_mm256_shuffle_epi8(of_low, _mm256_and_si256(x, low_nibble)),
                         _mm256_shuffle_epi8(of_high, high));
}

[[gnu::always_inline]] inline Lanes reversed32(Lanes x) {
  const Lanes order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  return _mm256_shuffle_epi8(reversed_bytes(x), order);
}

[[gnu::always_inline]] inline Lanes reversed64(Lanes x) {
  const Lanes order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  return _mm256_shuffle_epi8(reversed_bytes(x), order);
}

/// Low 64 bits of the products.
[[gnu::always_inline]] inline Lanes multiplied64(Lanes x, std::uint64_t factor) {
  const Lanes low = all_wide(factor & 0xFFFFFFFF);
  const Lanes crossed = _mm256_add_epi64(_mm256_mul_epu32(x, all_wide(factor >> 32)),
                                         _mm256_mul_epu32(_mm256_srli_epi64(x, 32), low));
  return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(crossed, 32));
}

[[gnu::always_inline]] inline Lanes scrambled32(const KernelSetup& setup, Lanes x) {
  x = _mm256_add_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.addend)));
  x = reversed32(_mm256_mullo_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.multiplier0 >> 32))));
  return reversed32(_mm256_mullo_epi32(x, all_lanes(static_cast<std::uint32_t>(setup.multiplier1 >> 32))));
}

[[gnu::always_inline]] inline Lanes scrambled64(const KernelSetup& setup, Lanes x) {
  x = reversed64(multiplied64(_mm256_add_epi64(x, all_wide(setup.addend)), setup.multiplier0));
  return reversed64(multiplied64(x, setup.multiplier1));
}

/// Labels of eight edges where scale <= 32.
[[gnu::always_inline]] inline void finish32(const KernelSetup& setup, const Half& half, EdgeOutput output) {
  Lanes below = half.differ;  // the highest bit and all below it
  for (int step = 1; step < 32; step *= 2) below = _mm256_or_si256(below, _mm256_srli_epi32(below, step));
  const Lanes first_difference = _mm256_sub_epi32(below, _mm256_srli_epi32(below, 1));
  const Lanes v_path = _mm256_or_si256(half.v, first_difference);
  const Lanes v = scrambled32(setup, v_path);
  const Lanes u = scrambled32(setup, _mm256_xor_si256(v_path, half.differ));
  const Lanes low = _mm256_unpacklo_epi32(u, v);   // edges 0 1 4 5
  const Lanes high = _mm256_unpackhi_epi32(u, v);  // edges 2 3 6 7
  const Lanes pairs[2] = {_mm256_permute2x128_si256(low, high, 0x20),
                          _mm256_permute2x128_si256(low, high, 0x31)};
  for (int i = 0; i < 2; ++i) {
    if (output.compact != nullptr) {
      store(output.compact + 4 * i, pairs[i]);
    } else {
      store(output.edges + 4 * i, _mm256_cvtepu32_epi64(lower(pairs[i])));
      store(output.edges + 4 * i + 2, _mm256_cvtepu32_epi64(upper(pairs[i])));
    }
  }
}

/// The same for four edges of any scale.
[[gnu::always_inline]] inline void finish64(const KernelSetup& setup, Lanes v, Lanes differ, Edge* edges) {
  Lanes below = differ;
  for (int step = 1; step < 64; step *= 2) below = _mm256_or_si256(below, _mm256_srli_epi64(below, step));
  const Lanes first_difference = _mm256_sub_epi64(below, _mm256_srli_epi64(below, 1));
  const Lanes v_path = _mm256_or_si256(v, first_difference);
  const Lanes v_label = scrambled64(setup, v_path);
  const Lanes u_label = scrambled64(setup, _mm256_xor_si256(v_path, differ));
  const Lanes low = _mm256_unpacklo_epi64(u_label, v_label);   // edges 0 2
  const Lanes high = _mm256_unpackhi_epi64(u_label, v_label);  // edges 1 3
  store(edges, _mm256_permute2x128_si256(low, high, 0x20));
  store(edges + 2, _mm256_permute2x128_si256(low, high, 0x31));
}

[[gnu::always_inline]] inline Lanes joined(__m128i shift, __m128i high, __m128i low) {
  return _mm256_or_si256(_mm256_sll_epi64(_mm256_cvtepu32_epi64(high), shift), _mm256_cvtepu32_epi64(low));
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
             joined(shift, upper(differ[h]), upper(half.differ)), edges + h * lanes + 4);
  }
}

template <int newest, int oldest>
[[gnu::always_inline]] inline void draw_weights(Half* halves, float* weights) {
  for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
  for (int h = 0; h < 2; ++h) {
    _mm256_storeu_ps(weights + h * lanes,
                     _mm256_mul_ps(_mm256_cvtepi32_ps(halves[h].z[oldest]), _mm256_set1_ps(weight_per_unit)));
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
  const Lanes is_wrong = _mm256_cmpgt_epi32(all_lanes(rejected_below), half.least);
  auto wrong = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(is_wrong)));
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

EdgeKernel avx2_edge_kernel() { return {run, group}; }

}  // namespace isobath
