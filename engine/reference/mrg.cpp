// SPDX-License-Identifier: Apache-2.0
#include "reference/mrg.hpp"

#include <cstddef>

namespace isobath::reference {
namespace {

constexpr std::int64_t modulus = 2147483647;
constexpr std::int64_t multiplier_1 = 107374182;
constexpr std::int64_t multiplier_5 = 104480;

using Vector = std::array<std::int64_t, 5>;
using Matrix = std::array<Vector, 5>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 5; ++k) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
    }
  }
  return c;
}

Vector product(const Matrix& a, const Vector& x) {
  Vector y{};
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 5; ++k) y[i] += a[i][k] * x[k] % modulus;
    y[i] %= modulus;
  }
  return y;
}

/// Element i is what 2^i draws do to the state.
std::array<Matrix, 192> repeated_squares() {
  std::array<Matrix, 192> squares{};
  squares[0][0] = {multiplier_1, 0, 0, 0, multiplier_5};
  for (std::size_t i = 1; i < 5; ++i) squares[0][i][i - 1] = 1;
  for (std::size_t i = 1; i < squares.size(); ++i) squares[i] = product(squares[i - 1], squares[i - 1]);
  return squares;
}

}  // namespace

Mrg::Mrg(std::uint64_t seed1, std::uint64_t seed2)
    : z_{static_cast<std::int64_t>((seed1 & 0x3FFFFFFF) + 1),
         static_cast<std::int64_t>(((seed1 >> 30) & 0x3FFFFFFF) + 1),
         static_cast<std::int64_t>((seed2 & 0x3FFFFFFF) + 1),
         static_cast<std::int64_t>(((seed2 >> 30) & 0x3FFFFFFF) + 1),
         static_cast<std::int64_t>(((seed2 >> 60) << 4) + (seed1 >> 60) + 1)} {}

std::int64_t Mrg::draw() {
  const std::int64_t next = (multiplier_1 * z_[0] + multiplier_5 * z_[4]) % modulus;
  z_ = {next, z_[0], z_[1], z_[2], z_[3]};
  return next;
}

double Mrg::draw_double() {
  const double high = static_cast<double>(draw());
  const double low = static_cast<double>(draw());
  return high * 4.65661287524579692e-10 + low * 2.168404346990492787e-19;
}

void Mrg::skip(std::uint64_t high, std::uint64_t mid, std::uint64_t low) {
  static const std::array<Matrix, 192> squares = repeated_squares();
  std::size_t power = 0;
  for (const std::uint64_t word : {low, mid, high}) {
    for (int bit = 0; bit < 64; ++bit, ++power) {
      if ((word >> bit & 1) != 0) z_ = product(squares[power], z_);
    }
  }
}

}  // namespace isobath::reference
