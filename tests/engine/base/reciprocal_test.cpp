// SPDX-License-Identifier: Apache-2.0
#include "base/reciprocal.hpp"

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

}  // namespace
}  // namespace isobath
