// SPDX-License-Identifier: Apache-2.0
// The edge kernel by AVX-512: F, CD, BW, DQ. Thirty-two edges at a time; masks are bits.
#include "generator/vector_edge_kernel.hpp"

namespace isobath {
namespace {

struct Vector512 {
  using Lanes = __m512i;
  using Mask = __mmask16;
  static constexpr int lanes = 16;

  [[gnu::always_inline]] static Lanes all_lanes(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
  }
  [[gnu::always_inline]] static Lanes all_wide(std::uint64_t value) {
    return _mm512_set1_epi64(static_cast<long long>(value));
  }
  [[gnu::always_inline]] static Lanes load(const std::uint32_t* from) { return _mm512_load_si512(from); }
  [[gnu::always_inline]] static void store(void* to, Lanes x) { _mm512_storeu_si512(to, x); }

  [[gnu::always_inline]] static Lanes add32(Lanes x, Lanes y) { return _mm512_add_epi32(x, y); }
  [[gnu::always_inline]] static Lanes sub32(Lanes x, Lanes y) { return _mm512_sub_epi32(x, y); }
  [[gnu::always_inline]] static Lanes add64(Lanes x, Lanes y) { return _mm512_add_epi64(x, y); }
  [[gnu::always_inline]] static Lanes min32(Lanes x, Lanes y) { return _mm512_min_epu32(x, y); }
  [[gnu::always_inline]] static Lanes mullo32(Lanes x, Lanes y) { return _mm512_mullo_epi32(x, y); }
  [[gnu::always_inline]] static Lanes madd16(Lanes x, Lanes y) { return _mm512_madd_epi16(x, y); }
  [[gnu::always_inline]] static Lanes and_of(Lanes x, Lanes y) { return _mm512_and_si512(x, y); }
  [[gnu::always_inline]] static Lanes or_of(Lanes x, Lanes y) { return _mm512_or_si512(x, y); }
  [[gnu::always_inline]] static Lanes xor_of(Lanes x, Lanes y) { return _mm512_xor_si512(x, y); }

  /// Of even lanes, 64 bits.
  [[gnu::always_inline]] static Lanes product(Lanes x, Lanes y) { return _mm512_mul_epu32(x, y); }
  [[gnu::always_inline]] static Lanes signed_product(Lanes x, Lanes y) { return _mm512_mul_epi32(x, y); }
  [[gnu::always_inline]] static Lanes moved_down(Lanes x) { return _mm512_srli_epi64(x, 32); }
  /// Of sums of even and of odd lanes, by lane.
  [[gnu::always_inline]] static Lanes upper_words(Lanes even, Lanes odd) {
    constexpr auto upper = static_cast<_MM_PERM_ENUM>(0xF5);  // words 1 1 3 3 of every four
    return _mm512_mask_shuffle_epi32(odd, even_lanes, even, upper);
  }
  [[gnu::always_inline]] static Lanes lower_words_halved(Lanes even, Lanes odd) {
    constexpr auto lower = static_cast<_MM_PERM_ENUM>(0xA0);  // words 0 0 2 2
    return _mm512_srli_epi32(_mm512_mask_shuffle_epi32(even, odd_lanes, odd, lower), 1);
  }
  /// Low 64 bits of the products.
  [[gnu::always_inline]] static Lanes mullo64(Lanes x, std::uint64_t factor) {
    return _mm512_mullo_epi64(x, all_wide(factor));
  }
  [[gnu::always_inline]] static Lanes shifted_up64(Lanes x, __m128i bits) {
    return _mm512_sll_epi64(x, bits);
  }
  [[gnu::always_inline]] static Lanes nibbles_down(Lanes x) { return _mm512_srli_epi16(x, 4); }

  /// Whether x + moved < bound, modulo 2^32.
  template <std::uint32_t moved, std::uint32_t bound>
  [[gnu::always_inline]] static Mask is_below(Lanes x) {
    return _mm512_cmplt_epu32_mask(_mm512_add_epi32(x, all_lanes(moved)), all_lanes(bound));
  }
  [[gnu::always_inline]] static unsigned bits_of(Mask mask) { return _cvtmask16_u32(mask); }
  /// With the bit of a level, whose place is the same whatever was noted before.
  [[gnu::always_inline]] static Lanes with_level(Lanes bits, Mask is_set, std::uint32_t level_bit) {
    return _mm512_mask_or_epi32(bits, is_set, bits, all_lanes(level_bit));
  }
  [[gnu::always_inline]] static Lanes highest_bit32(Lanes x) {
    return _mm512_srlv_epi32(all_lanes(0x80000000), _mm512_lzcnt_epi32(x));
  }
  [[gnu::always_inline]] static Lanes highest_bit64(Lanes x) {
    return _mm512_srlv_epi64(all_wide(std::uint64_t{1} << 63), _mm512_lzcnt_epi64(x));
  }

  [[gnu::always_inline]] static Lanes in_every_16_bytes(__m128i x) { return _mm512_broadcast_i32x4(x); }
  /// Bytes of every 16 of `table`, by their places among these.
  [[gnu::always_inline]] static Lanes bytes_of(Lanes table, Lanes places) {
    return _mm512_shuffle_epi8(table, places);
  }
  /// Lanes of the lower and of the upper half, 64 bits each.
  [[gnu::always_inline]] static Lanes lower_widened(Lanes x) {
    return _mm512_cvtepu32_epi64(_mm512_castsi512_si256(x));
  }
  [[gnu::always_inline]] static Lanes upper_widened(Lanes x) {
    return _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(x, 1));
  }
  /// Lanes of u and v in turn.
  [[gnu::always_inline]] static void interleave32(Lanes u, Lanes v, Lanes* pairs) {
    const Lanes first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    pairs[0] = _mm512_permutex2var_epi32(u, first, v);
    pairs[1] = _mm512_permutex2var_epi32(u, _mm512_add_epi32(first, all_lanes(8)), v);
  }
  [[gnu::always_inline]] static void interleave64(Lanes u, Lanes v, Lanes* pairs) {
    pairs[0] = _mm512_permutex2var_epi64(u, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), v);
    pairs[1] = _mm512_permutex2var_epi64(u, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), v);
  }
  [[gnu::always_inline]] static void store_scaled(float* to, Lanes x, float factor) {
    _mm512_storeu_ps(to, _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_set1_ps(factor)));
  }

 private:
  static constexpr Mask even_lanes = 0x5555;
  static constexpr Mask odd_lanes = 0xAAAA;
};

using Kernel = VectorEdgeKernel<Vector512>;

}  // namespace

EdgeKernel avx512_edge_kernel() { return {Kernel::run, Kernel::group}; }

}  // namespace isobath
