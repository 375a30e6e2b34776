// SPDX-License-Identifier: Apache-2.0
#include "sha256.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace isobath::test {
namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes; a double has bits to
/// spare.
std::array<std::uint32_t, 64> round_constants() {
  std::array<std::uint32_t, 64> constants{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < constants.size(); ++candidate) {
    bool is_prime = true;
    for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor)
      is_prime &= candidate % divisor != 0;
    if (!is_prime) continue;
    const double root = std::cbrt(candidate);
    constants[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0);
  }
  return constants;
}

std::uint32_t big_endian(const std::byte* bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return word;
}

}  // namespace

void Sha256::compress(const std::byte* block) {
  static const std::array<std::uint32_t, 64> constants = round_constants();
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = hash_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash_[i] += change[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
  std::size_t filled = length_ % 64;
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (filled == 0 && bytes.size() >= 64) {
      compress(bytes.data());
      bytes = bytes.subspan(64);
      continue;
    }
    const std::size_t count = std::min(bytes.size(), 64 - filled);
    std::copy_n(bytes.begin(), count, pending_.begin() + static_cast<std::ptrdiff_t>(filled));
    bytes = bytes.subspan(count);
    filled = (filled + count) % 64;
    if (filled == 0) compress(pending_.data());
  }
}

std::string Sha256::digest() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::byte, 72> padding{};
  padding[0] = std::byte{0x80};
  const std::size_t zeros_end = (119 - length_ % 64) % 64 + 1;
  for (std::size_t i = 0; i < 8; ++i) padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(std::span(padding).first(zeros_end + 8));
  std::string text;
  for (const std::uint32_t word : hash_) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace isobath::test
