// SPDX-License-Identifier: Apache-2.0
// The edge kernel by AVX2. Sixteen edges at a time; masks are lanes of all bits or none, and comparisons are
// signed.
#include "generator/vector_edge_kernel.hpp"

namespace isobath {
namespace {

struct Vector256 {
  using Lanes = __m256i;
  using Mask = __m256i;
  static constexpr int lanes = 8;

  [[gnu::always_inline]] static Lanes all_lanes(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
  }
  [[gnu::always_inline]] static Lanes all_wide(std::uint64_t value) {
    return _mm256_set1_epi64x(static_cast<long long>(value));
  }
  [[gnu::always_inline]] static Lanes load(const std::uint32_t* from) {
    return _mm256_load_si256(reinterpret_cast<const Lanes*>(from));
  }
  [[gnu::always_inline]] static void store(void* to, Lanes x) {
    _mm256_storeu_si256(static_cast<Lanes*>(to), x);
  }

  [[gnu::always_inline]] static Lanes add32(Lanes x, Lanes y) { return _mm256_add_epi32(x, y); }
  [[gnu::always_inline]] static Lanes sub32(Lanes x, Lanes y) { return _mm256_sub_epi32(x, y); }
  [[gnu::always_inline]] static Lanes add64(Lanes x, Lanes y) { return _mm256_add_epi64(x, y); }
  [[gnu::always_inline]] static Lanes min32(Lanes x, Lanes y) { return _mm256_min_epu32(x, y); }
  [[gnu::always_inline]] static Lanes mullo32(Lanes x, Lanes y) { return _mm256_mullo_epi32(x, y); }
  [[gnu::always_inline]] static Lanes madd16(Lanes x, Lanes y) { return _mm256_madd_epi16(x, y); }
  [[gnu::always_inline]] static Lanes and_of(Lanes x, Lanes y) { return _mm256_and_si256(x, y); }
  [[gnu::always_inline]] static Lanes or_of(Lanes x, Lanes y) { return _mm256_or_si256(x, y); }
  [[gnu::always_inline]] static Lanes xor_of(Lanes x, Lanes y) { return _mm256_xor_si256(x, y); }

  /// Of even lanes, 64 bits.
  [[gnu::always_inline]] static Lanes product(Lanes x, Lanes y) { return _mm256_mul_epu32(x, y); }
  [[gnu::always_inline]] static Lanes signed_product(Lanes x, Lanes y) { return _mm256_mul_epi32(x, y); }
  [[gnu::always_inline]] static Lanes moved_down(Lanes x) { return _mm256_srli_epi64(x, 32); }
  /// Of sums of even and of odd lanes, by lane.
  [[gnu::always_inline]] static Lanes upper_words(Lanes even, Lanes odd) {
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, odd_lanes);
  }
  [[gnu::always_inline]] static Lanes lower_words_halved(Lanes even, Lanes odd) {
    return _mm256_srli_epi32(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), odd_lanes), 1);
  }
  /// Low 64 bits of the products.
  [[gnu::always_inline]] static Lanes mullo64(Lanes x, std::uint64_t factor) {
    const Lanes low = all_wide(factor & 0xFFFFFFFF);
    const Lanes crossed = _mm256_add_epi64(_mm256_mul_epu32(x, all_wide(factor >> 32)),
                                           _mm256_mul_epu32(_mm256_srli_epi64(x, 32), low));
    return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(crossed, 32));
  }
  [[gnu::always_inline]] static Lanes shifted_up64(Lanes x, __m128i bits) {
    return _mm256_sll_epi64(x, bits);
  }
  [[gnu::always_inline]] static Lanes nibbles_down(Lanes x) { return _mm256_srli_epi16(x, 4); }

  /// Whether x + moved < bound, modulo 2^32.
  template <std::uint32_t moved, std::uint32_t bound>
  [[gnu::always_inline]] static Mask is_below(Lanes x) {
    constexpr std::uint32_t sign = 0x80000000;  // unsigned comparisons become signed ones
    return _mm256_cmpgt_epi32(all_lanes(bound ^ sign), _mm256_add_epi32(x, all_lanes(moved ^ sign)));
  }
  [[gnu::always_inline]] static unsigned bits_of(Mask mask) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(mask)));
  }
  /// With the bit of a level, below those that were noted before: true is -1.
  [[gnu::always_inline]] static Lanes with_level(Lanes bits, Mask is_set, std::uint32_t /*level_bit*/) {
    return _mm256_sub_epi32(_mm256_add_epi32(bits, bits), is_set);
  }
  [[gnu::always_inline]] static Lanes highest_bit32(Lanes x) {
    for (int step = 1; step < 32; step *= 2) x = _mm256_or_si256(x, _mm256_srli_epi32(x, step));
    return _mm256_sub_epi32(x, _mm256_srli_epi32(x, 1));  // x is now that bit and all below it
  }
  [[gnu::always_inline]] static Lanes highest_bit64(Lanes x) {
    for (int step = 1; step < 64; step *= 2) x = _mm256_or_si256(x, _mm256_srli_epi64(x, step));
    return _mm256_sub_epi64(x, _mm256_srli_epi64(x, 1));
  }

  [[gnu::always_inline]] static Lanes in_every_16_bytes(__m128i x) { return _mm256_broadcastsi128_si256(x); }
  /// Bytes of every 16 of `table`, by their places among these.
  [[gnu::always_inline]] static Lanes bytes_of(Lanes table, Lanes places) {
    return _mm256_shuffle_epi8(table, places);
  }
  /// Lanes of the lower and of the upper half, 64 bits each.
  [[gnu::always_inline]] static Lanes lower_widened(Lanes x) {
    return _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x));
  }
  [[gnu::always_inline]] static Lanes upper_widened(Lanes x) {
    return _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1));
  }
  /// Lanes of u and v in turn.
  [[gnu::always_inline]] static void interleave32(Lanes u, Lanes v, Lanes* pairs) {
    const Lanes low = _mm256_unpacklo_epi32(u, v);   // edges 0 1 4 5
    const Lanes high = _mm256_unpackhi_epi32(u, v);  // edges 2 3 6 7
    pairs[0] = _mm256_permute2x128_si256(low, high, 0x20);
    pairs[1] = _mm256_permute2x128_si256(low, high, 0x31);
  }
  [[gnu::always_inline]] static void interleave64(Lanes u, Lanes v, Lanes* pairs) {
    const Lanes low = _mm256_unpacklo_epi64(u, v);   // edges 0 2
    const Lanes high = _mm256_unpackhi_epi64(u, v);  // edges 1 3
    pairs[0] = _mm256_permute2x128_si256(low, high, 0x20);
    pairs[1] = _mm256_permute2x128_si256(low, high, 0x31);
  }
  [[gnu::always_inline]] static void store_scaled(float* to, Lanes x, float factor) {
    _mm256_storeu_ps(to, _mm256_mul_ps(_mm256_cvtepi32_ps(x), _mm256_set1_ps(factor)));
  }

 private:
  static constexpr int odd_lanes = 0xAA;
};

using Kernel = VectorEdgeKernel<Vector256>;

}  // namespace

EdgeKernel avx2_edge_kernel() { return {Kernel::run, Kernel::group}; }

}  // namespace isobath
