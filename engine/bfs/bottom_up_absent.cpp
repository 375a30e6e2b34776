// SPDX-License-Identifier: Apache-2.0
// In the place of bottom_up_avx512.cpp on other processors, where it is never chosen.
#include "bfs/bottom_up.hpp"

namespace isobath {

BottomUpCounts bottom_up_avx512(const BottomUpRange& range) { return bottom_up_portable(range); }

}  // namespace isobath
