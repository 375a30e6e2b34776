// SPDX-License-Identifier: Apache-2.0
#include "graph/dealt_arcs.hpp"

namespace isobath {

int DealtArcs::shift_for(std::int64_t num_targets) {
  constexpr std::int64_t max_ranges = 2048;  // their open lines fit the second-level cache
  constexpr int max_shift = 16;              // a target in its range has 16 bits
  int shift = 0;
  while (shift < max_shift && (num_targets >> shift) > max_ranges) ++shift;
  return shift;
}

}  // namespace isobath
