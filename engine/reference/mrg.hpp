// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace isobath::reference {

/// The random number generator as the specification writes it down: one draw at a time, in the plainest
/// arithmetic. Twin of engine/random.
class Mrg {
 public:
  Mrg(std::uint64_t seed1, std::uint64_t seed2);

  std::int64_t draw();
  double draw_double();
  /// Skips high * 2^128 + mid * 2^64 + low draws, by repeated squaring of the matrix of one draw.
  void skip(std::uint64_t high, std::uint64_t mid, std::uint64_t low);

  const std::array<std::int64_t, 5>& state() const { return z_; }

 private:
  std::array<std::int64_t, 5> z_;
};

}  // namespace isobath::reference
