// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/error.hpp"

namespace isobath {

/// Conversion between integers that refuses to lose a value. `what` names the quantity in the sentence of the
/// error.
template <class To, class From>
constexpr To narrow(From value, const char* what = "a count") {
  if (!std::in_range<To>(value)) {
    throw RefusedError(std::string(what) + " of " + std::to_string(value) +
                       " exceeds an internal limit; use more ranks or a smaller scale");
  }
  return static_cast<To>(value);
}

}  // namespace isobath
