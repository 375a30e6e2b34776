// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace isobath {

/// The multiple recursive generator of the Graph500 specification, bit for bit:
/// x_n = (107374182 x_(n-1) + 104480 x_(n-5)) mod (2^31 - 1). L'Ecuyer, Blouin, Couture, ACM TOMACS 3 (1993)
/// 87-98.
inline constexpr std::uint64_t mrg_modulus = 0x7FFFFFFF;
inline constexpr std::uint64_t mrg_multiplier_1 = 107374182;
inline constexpr std::uint64_t mrg_multiplier_5 = 104480;

/// x mod (2^31 - 1) for any x: twice the high bits added to the low 31 (2^31 is 1 in this field), then one
/// subtraction.
constexpr std::uint64_t mrg_reduced(std::uint64_t x) {
  x = (x & mrg_modulus) + (x >> 31);
  x = (x & mrg_modulus) + (x >> 31);
  return x >= mrg_modulus ? x - mrg_modulus : x;
}

/// The last five draws, newest first; all below the modulus and not all zero.
struct MrgState {
  std::array<std::uint32_t, 5> z{};

  friend constexpr bool operator==(const MrgState&, const MrgState&) = default;

  /// The state that two user seeds give.
  static constexpr MrgState from_seeds(std::uint64_t seed1, std::uint64_t seed2) {
    constexpr std::uint64_t low30 = 0x3FFFFFFF;
    return {{static_cast<std::uint32_t>((seed1 & low30) + 1),
             static_cast<std::uint32_t>((seed1 >> 30 & low30) + 1),
             static_cast<std::uint32_t>((seed2 & low30) + 1),
             static_cast<std::uint32_t>((seed2 >> 30 & low30) + 1),
             static_cast<std::uint32_t>(((seed2 >> 60) << 4) + (seed1 >> 60) + 1)}};
  }

  /// Next draw, uniform over 0 .. 2^31 - 2.
  constexpr std::uint32_t draw() {
    const auto next =
        static_cast<std::uint32_t>(mrg_reduced(mrg_multiplier_1 * z[0] + mrg_multiplier_5 * z[4]));
    z = {next, z[0], z[1], z[2], z[3]};
    return next;
  }

  /// Next two draws as one double in [0, 1), as the reference makes its search keys.
  double draw_double();

  /// The state high * 2^128 + mid * 2^64 + low draws later.
  MrgState skipped(std::uint64_t high, std::uint64_t mid, std::uint64_t low) const;
};

static_assert(MrgState::from_seeds(2, 3).z == std::array<std::uint32_t, 5>{3, 1, 4, 1, 1});

}  // namespace isobath
