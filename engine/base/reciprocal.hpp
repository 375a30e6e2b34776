// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace isobath {

/// Division by a number that stays the same: a multiplication, where the processor's own division takes
/// several times as long.
class Reciprocal {
 public:
  /// A divisor of 0 may be stored, but not divided by.
  constexpr explicit Reciprocal(std::uint64_t divisor)
      : divisor_(divisor), inverse_(divisor == 0 ? 0 : ~std::uint64_t{0} / divisor) {}

  constexpr std::uint64_t quotient_of(std::uint64_t dividend) const {
    __extension__ using Wide = unsigned __int128;
    auto quotient = static_cast<std::uint64_t>(Wide{dividend} * inverse_ >> 64);
    // The inverse is rounded down: the quotient is right, or too small by 1 or 2.
    std::uint64_t rest = dividend - quotient * divisor_;
    for (; rest >= divisor_; rest -= divisor_) ++quotient;
    return quotient;
  }

 private:
  std::uint64_t divisor_;
  std::uint64_t inverse_;
};

/// The same for numbers of 32 bits, where the inverse can be rounded up and nothing is left to put right:
/// what it is too large by, times any such number, is less than the step to the next quotient. So there is
/// no branch, which small divisors would make the processor guess wrong.
class NarrowReciprocal {
 public:
  /// A divisor of 0 or 1 may be stored, but not divided by.
  constexpr explicit NarrowReciprocal(std::uint32_t divisor)
      : inverse_(divisor < 2 ? 0 : ~std::uint64_t{0} / divisor + 1) {}

  constexpr std::uint32_t quotient_of(std::uint32_t dividend) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>(Wide{dividend} * inverse_ >> 64);
  }

 private:
  std::uint64_t inverse_;
};

static_assert(Reciprocal(3).quotient_of(8) == 2 && Reciprocal(3).quotient_of(9) == 3);
static_assert(Reciprocal(1).quotient_of(~std::uint64_t{0}) == ~std::uint64_t{0});
static_assert(NarrowReciprocal(3).quotient_of(8) == 2 && NarrowReciprocal(3).quotient_of(9) == 3);

}  // namespace isobath
