// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "random/mrg.hpp"

namespace isobath {

/// What some number of draws does to a state: a 5 x 5 matrix over the integers mod 2^31 - 1, entries below
/// the modulus.
struct MrgMatrix {
  std::array<std::array<std::uint32_t, 5>, 5> entry{};

  friend constexpr bool operator==(const MrgMatrix&, const MrgMatrix&) = default;

  static constexpr MrgMatrix identity() {
    MrgMatrix matrix;
    for (std::size_t i = 0; i < 5; ++i) matrix.entry[i][i] = 1;
    return matrix;
  }

  /// One draw.
  static constexpr MrgMatrix one_draw() {
    MrgMatrix matrix;
    matrix.entry[0][0] = static_cast<std::uint32_t>(mrg_multiplier_1);
    matrix.entry[0][4] = static_cast<std::uint32_t>(mrg_multiplier_5);
    for (std::size_t i = 1; i < 5; ++i) matrix.entry[i][i - 1] = 1;
    return matrix;
  }

  /// The draws of `first`, then these (or the reverse: powers of one matrix commute).
  constexpr MrgMatrix operator*(const MrgMatrix& first) const {
    MrgMatrix product;
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += std::uint64_t{entry[i][k]} * first.entry[k][j];
        sum = mrg_reduced(sum) +
              std::uint64_t{entry[i][4]} * first.entry[4][j];  // five products exceed 64 bits
        product.entry[i][j] = static_cast<std::uint32_t>(mrg_reduced(sum));
      }
    }
    return product;
  }

  /// The state after these draws.
  constexpr MrgState operator*(const MrgState& state) const {
    MrgState result;
    for (std::size_t i = 0; i < 5; ++i) {
      std::uint64_t sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += std::uint64_t{entry[i][k]} * state.z[k];
      sum = mrg_reduced(sum) + std::uint64_t{entry[i][4]} * state.z[4];
      result.z[i] = static_cast<std::uint32_t>(mrg_reduced(sum));
    }
    return result;
  }

  /// These draws `times` times over.
  constexpr MrgMatrix power(std::uint64_t times) const {
    MrgMatrix result = identity();
    MrgMatrix square = *this;
    for (; times != 0; times >>= 1) {
      if ((times & 1) != 0) result = result * square;
      square = square * square;
    }
    return result;
  }

  /// 2^64 draws: from the stream of one edge to the next one's.
  static MrgMatrix two_to_64_draws();
};

}  // namespace isobath
