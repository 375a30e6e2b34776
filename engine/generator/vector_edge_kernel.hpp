// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "generator/edge_kernel.hpp"

namespace isobath {

/// The edge kernel for vectors of any width. `Vector` says what a vector of 32-bit lanes can do; it stands in
/// an unnamed namespace, so that what is compiled with the flags of an instruction set stays in its file.
///
/// A group of edges is two halves of as many edges as a vector has lanes, whose draws interleave: one draw
/// takes about twelve cycles from the one before, and as long to issue for sixteen lanes.
///
/// Draws are 32-bit lanes. Products are 64-bit, made apart for even and for odd lanes; each half therefore
/// also keeps its draws moved down by one lane. All constants are twice as large as they should be, so that
/// after a product the bits above 2^31 fill the upper word and can be merged by one shuffle.
template <class Vector>
class VectorEdgeKernel {
 public:
  static constexpr int lanes = Vector::lanes;
  static constexpr int group = 2 * lanes;

  /// An EdgeKernelFunction.
  static int run(const KernelSetup& setup, std::uint32_t* windows, int groups, EdgeOutput output,
                 std::uint16_t* rejected) {
    int num_rejected = 0;
    for (int at = 0; at < groups * group; at += group) {
      Half halves[2];
      for (int h = 0; h < 2; ++h) {
        load_and_advance(setup, windows + h * lanes, halves[h]);
        halves[h].least = Vector::all_lanes(rejected_below);
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

 private:
  using Lanes = typename Vector::Lanes;

  /// The last five draws of the edges of a half, a ring, and the same moved down one lane.
  struct Half {
    Lanes z[5];
    Lanes z_odd[5];
    Lanes v;       // bits of v so far
    Lanes differ;  // u xor v
    Lanes least;   // smallest draw
  };

  /// Residue of x < 2 * (2^31 - 1).
  [[gnu::always_inline]] static Lanes canonical(Lanes x) {
    return Vector::min32(x, Vector::sub32(x, Vector::all_lanes(0x7FFFFFFF)));
  }

  /// The next draw; it takes the place of the oldest.
  template <int newest, int oldest>
  [[gnu::always_inline]] static void draw(Half& half) {
    const Lanes multiplier_1 = Vector::all_wide(2 * 107374182);
    const Lanes multiplier_5 = Vector::all_wide(2 * 104480);
    const Lanes even = Vector::add64(Vector::product(half.z[newest], multiplier_1),
                                     Vector::product(half.z[oldest], multiplier_5));
    const Lanes odd = Vector::add64(Vector::product(half.z_odd[newest], multiplier_1),
                                    Vector::product(half.z_odd[oldest], multiplier_5));
    // Sums, given twice as large: so the bits from 2^31 on fill the upper words, and are below 2^28.
    half.z[oldest] =
        canonical(Vector::add32(Vector::lower_words_halved(even, odd), Vector::upper_words(even, odd)));
    half.z_odd[oldest] = Vector::moved_down(half.z[oldest]);
  }

  /// Chooses a quarter of the initiator by draw mod 10000, and notes its bits.
  ///
  /// The comparisons need no remainder, only the fractional part of draw / 10000. In units of 2^-32 the
  /// remainders lie 2^32 / 10000 = 429496.73 apart; draw * 429497 is too large by 0.2704 a unit, and all but
  /// 48,339 of that goes away with 17720 times the upper half of the draw. So thresholds half a remainder off
  /// decide rightly.
  [[gnu::always_inline]] static void descend(Half& half, Lanes drawn, std::uint32_t level_bit) {
    constexpr double remainder = 4294967296.0 / 10000;
    constexpr double slack = 100000;
    constexpr auto below_bc = static_cast<std::uint32_t>(initiator_bc * remainder - slack);
    constexpr auto from_d = static_cast<std::uint32_t>((10000 - initiator_abc) * remainder + slack);
    constexpr auto below_db = static_cast<std::uint32_t>((10000 - initiator_abc + initiator_b) * remainder);
    half.least = Vector::min32(half.least, drawn);
    const Lanes fraction = Vector::sub32(Vector::mullo32(drawn, Vector::all_lanes(429497)),
                                         Vector::madd16(drawn, Vector::all_lanes(17720U << 16)));
    // u and v differ in the quarters B and C, [0, 0.38); v has a bit in D and B, which meet at 1:
    // [0.95, 1.19).
    const auto differs = Vector::template is_below<0, below_bc>(fraction);
    const auto in_v = Vector::template is_below<from_d, below_db>(fraction);
    half.differ = Vector::with_level(half.differ, differs, level_bit);
    half.v = Vector::with_level(half.v, in_v, level_bit);
  }

  template <int newest, int oldest>
  [[gnu::always_inline]] static void level(Half* halves, std::uint32_t bit) {
    for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
    for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[oldest], bit);
  }

  /// Levels first .. end - 1 (at most 32) into fresh bits, the highest first. `first` is 0 or a multiple of
  /// five.
  ///
  /// The first five draws stand in the ring. Level k's draw is z[4 - k % 5], at the end as in the beginning.
  [[gnu::always_inline]] static void levels(Half* halves, int first, int end) {
    for (int h = 0; h < 2; ++h) halves[h].v = halves[h].differ = Vector::all_lanes(0);
    std::uint32_t bit = std::uint32_t{1} << (end - first - 1);
    int left = end - first;
    if (first == 0) {
      for (int k = 0; k < 5; ++k, bit >>= 1) {
        for (int h = 0; h < 2; ++h) descend(halves[h], halves[h].z[4 - k], bit);
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
  [[gnu::always_inline]] static void load_and_advance(const KernelSetup& setup, std::uint32_t* windows,
                                                      Half& half) {
    for (int i = 0; i < 5; ++i) {
      half.z[i] = Vector::load(windows + i * group);
      half.z_odd[i] = Vector::moved_down(half.z[i]);
    }
    for (int i = 0; i < 5; ++i) {
      Lanes even = Vector::all_wide(setup.offset[i]);
      Lanes odd = even;
      for (int k = 0; k < 5; ++k) {
        const Lanes entry = Vector::all_wide(static_cast<std::uint64_t>(std::int64_t{setup.advance[i][k]}));
        even = Vector::add64(even, Vector::signed_product(half.z[k], entry));
        odd = Vector::add64(odd, Vector::signed_product(half.z_odd[k], entry));
      }
      // The upper words are less than 2 * (2^31 - 1).
      Vector::store(windows + i * group, canonical(Vector::add32(Vector::lower_words_halved(even, odd),
                                                                 canonical(Vector::upper_words(even, odd)))));
    }
  }

  /// Bits of every byte reversed.
  [[gnu::always_inline]] static Lanes reversed_bytes(Lanes x) {
    const Lanes low_nibble = Vector::all_lanes(0x0F0F0F0F);
    const Lanes of_low =
        Vector::in_every_16_bytes(_mm_setr_epi8(0x00, -0x80, 0x40, -0x40, 0x20, -0x60, 0x60, -0x20, 0x10,
                                                -0x70, 0x50, -0x30, 0x30, -0x50, 0x70, -0x10));
    const Lanes of_high =
        Vector::in_every_16_bytes(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
    const Lanes high = Vector::and_of(Vector::nibbles_down(x), low_nibble);
    return Vector::or_of(Vector::bytes_of(of_low, Vector::and_of(x, low_nibble)),
                         Vector::bytes_of(of_high, high));
  }

  [[gnu::always_inline]] static Lanes reversed32(Lanes x) {
    const Lanes order =
        Vector::in_every_16_bytes(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    return Vector::bytes_of(reversed_bytes(x), order);
  }

  [[gnu::always_inline]] static Lanes reversed64(Lanes x) {
    const Lanes order =
        Vector::in_every_16_bytes(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return Vector::bytes_of(reversed_bytes(x), order);
  }

  /// The vertex permutation where scale <= 32: only the low bits of the specification's products are ever
  /// looked at.
  [[gnu::always_inline]] static Lanes scrambled32(const KernelSetup& setup, Lanes x) {
    const Lanes multiplier0 = Vector::all_lanes(static_cast<std::uint32_t>(setup.multiplier0 >> 32));
    const Lanes multiplier1 = Vector::all_lanes(static_cast<std::uint32_t>(setup.multiplier1 >> 32));
    x = Vector::add32(x, Vector::all_lanes(static_cast<std::uint32_t>(setup.addend)));
    return reversed32(Vector::mullo32(reversed32(Vector::mullo32(x, multiplier0)), multiplier1));
  }

  [[gnu::always_inline]] static Lanes scrambled64(const KernelSetup& setup, Lanes x) {
    x = Vector::mullo64(Vector::add64(x, Vector::all_wide(setup.addend)), setup.multiplier0);
    return reversed64(Vector::mullo64(reversed64(x), setup.multiplier1));
  }

  /// Labels of the edges of a half where scale <= 32. The first level where u and v differ always gives v the
  /// bit.
  [[gnu::always_inline]] static void finish32(const KernelSetup& setup, const Half& half, EdgeOutput output) {
    const Lanes v_path = Vector::or_of(half.v, Vector::highest_bit32(half.differ));
    const Lanes v = scrambled32(setup, v_path);
    const Lanes u = scrambled32(setup, Vector::xor_of(v_path, half.differ));
    Lanes pairs[2];
    Vector::interleave32(u, v, pairs);
    if (output.compact != nullptr) {
      for (int i = 0; i < 2; ++i) Vector::store(output.compact + lanes / 2 * i, pairs[i]);
    } else {
      for (int i = 0; i < 2; ++i) {
        Vector::store(output.edges + lanes / 2 * i, Vector::lower_widened(pairs[i]));
        Vector::store(output.edges + lanes / 2 * i + lanes / 4, Vector::upper_widened(pairs[i]));
      }
    }
  }

  /// The same for half as many edges of any scale.
  [[gnu::always_inline]] static void finish64(const KernelSetup& setup, Lanes v, Lanes differ, Edge* edges) {
    const Lanes v_path = Vector::or_of(v, Vector::highest_bit64(differ));
    Lanes pairs[2];
    Vector::interleave64(scrambled64(setup, Vector::xor_of(v_path, differ)), scrambled64(setup, v_path),
                         pairs);
    for (int i = 0; i < 2; ++i) Vector::store(edges + lanes / 4 * i, pairs[i]);
  }

  [[gnu::always_inline]] static Lanes joined(__m128i shift, Lanes high, Lanes low) {
    return Vector::or_of(Vector::shifted_up64(high, shift), low);
  }

  /// Levels and labels where scale > 32: the upper levels' bits first, a multiple of five of them.
  [[gnu::always_inline]] static void descend_and_finish64(const KernelSetup& setup, Half* halves,
                                                          Edge* edges) {
    const int upper_levels = (setup.scale - 32 + 4) / 5 * 5;
    const __m128i shift = _mm_cvtsi32_si128(setup.scale - upper_levels);
    levels(halves, 0, upper_levels);
    const Lanes v[2] = {halves[0].v, halves[1].v};
    const Lanes differ[2] = {halves[0].differ, halves[1].differ};
    levels(halves, upper_levels, setup.scale);
    for (int h = 0; h < 2; ++h) {
      const Half& half = halves[h];
      finish64(setup, joined(shift, Vector::lower_widened(v[h]), Vector::lower_widened(half.v)),
               joined(shift, Vector::lower_widened(differ[h]), Vector::lower_widened(half.differ)),
               edges + h * lanes);
      finish64(setup, joined(shift, Vector::upper_widened(v[h]), Vector::upper_widened(half.v)),
               joined(shift, Vector::upper_widened(differ[h]), Vector::upper_widened(half.differ)),
               edges + h * lanes + lanes / 2);
    }
  }

  template <int newest, int oldest>
  [[gnu::always_inline]] static void draw_weights(Half* halves, float* weights) {
    for (int h = 0; h < 2; ++h) draw<newest, oldest>(halves[h]);
    for (int h = 0; h < 2; ++h) {
      Vector::store_scaled(weights + h * lanes, halves[h].z[oldest], weight_per_unit);
    }
  }

  /// One more draw of every edge after those of `levels` levels, in the ring where level `levels` would be.
  [[gnu::always_inline]] static void store_weights(Half* halves, int levels, float* weights) {
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
  [[gnu::always_inline]] static int note_rejected(const Half& half, int at, std::uint16_t* rejected) {
    unsigned wrong = Vector::bits_of(Vector::template is_below<0, rejected_below>(half.least));
    int count = 0;
    for (; wrong != 0; wrong &= wrong - 1)
      rejected[count++] = static_cast<std::uint16_t>(at + __builtin_ctz(wrong));
    return count;
  }
};

}  // namespace isobath
