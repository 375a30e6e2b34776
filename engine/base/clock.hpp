// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace isobath {

/// Seconds of the monotonic clock; ranks of one node share it.
inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace isobath
