// SPDX-License-Identifier: Apache-2.0
#include "base/reciprocal.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace isobath {
namespace {

/// Divisors of every length; dividends at random, and at both sides of multiples.
TEST(Reciprocal, DividesAsTheProcessorDoes) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t divisor = (random() >> (random() % 64)) | 1;
    const Reciprocal by_divisor(divisor);
    const std::uint64_t any = random() >> (random() % 64);
    const std::uint64_t multiple = any / divisor * divisor;
    for (const std::uint64_t dividend : {any, multiple, multiple - 1, ~std::uint64_t{0}, std::uint64_t{0}}) {
      ASSERT_EQ(by_divisor.quotient_of(dividend), dividend / divisor) << dividend << " / " << divisor;
    }
  }
}

TEST(Reciprocal, DividesByPowersOfTwoAndTheirNeighbours) {
  for (int bits = 1; bits < 64; ++bits) {
    for (const std::uint64_t divisor :
         {(std::uint64_t{1} << bits) - 1, std::uint64_t{1} << bits, (std::uint64_t{1} << bits) + 1}) {
      for (int shift = 0; shift < 64; ++shift) {
        const std::uint64_t dividend = ~std::uint64_t{0} >> shift;
        ASSERT_EQ(Reciprocal(divisor).quotient_of(dividend), dividend / divisor);
      }
    }
  }
}

TEST(NarrowReciprocal, DividesAsTheProcessorDoes) {
  std::mt19937 generator(4);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  constexpr std::uint32_t largest = ~std::uint32_t{0};
  const auto expect_quotients = [&](std::uint32_t divisor, std::uint32_t any) {
    const NarrowReciprocal by_divisor(divisor);
    const std::uint32_t multiple = any / divisor * divisor;
    const std::uint32_t last = largest / divisor * divisor;
    for (const std::uint32_t dividend : {any, multiple, multiple - 1, last, last - 1, largest, 0U}) {
      ASSERT_EQ(by_divisor.quotient_of(dividend), dividend / divisor) << dividend << " / " << divisor;
    }
  };
  for (std::uint32_t divisor = 2; divisor < 300; ++divisor) expect_quotients(divisor, random());
  for (int bits = 2; bits < 32; ++bits) {
    for (const std::uint32_t off : {0U, 1U, ~0U}) expect_quotients((1U << bits) + off, random());
  }
  for (int round = 0; round < 20000; ++round) {
    expect_quotients(std::max<std::uint32_t>(random() >> (random() % 31), 2), random() >> (random() % 32));
  }
  expect_quotients(largest, largest);
  expect_quotients(largest - 1, largest);
}

}  // namespace
}  // namespace isobath
