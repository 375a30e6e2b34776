// SPDX-License-Identifier: Apache-2.0
#include "delay/lateness.hpp"

#include <algorithm>
#include <cmath>

namespace isobath {

void Lateness::add(std::int64_t nanoseconds) {
  const std::int64_t microseconds = (std::max<std::int64_t>(nanoseconds, 0) + 999) / 1000;
  most_ = std::max(most_, microseconds);
  ++count_;
  const auto place = static_cast<std::size_t>(microseconds);
  if (place < counts_.size()) ++counts_[place];
}

std::int64_t Lateness::microseconds_of(double share) const {
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t passed = 0;
  for (std::size_t place = 0; place < counts_.size(); ++place) {
    passed += counts_[place];
    if (passed >= wanted) return std::min(static_cast<std::int64_t>(place), most_);
  }
  return most_;
}

}  // namespace isobath
