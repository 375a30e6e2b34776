// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has large-count calls (MPI 4). A barrier has no counts.
#include "comm/bare/collective_functions.hpp"

namespace isobath {

CollectiveFunctions<LargeCounts> large_count_functions() {
  CollectiveFunctions<LargeCounts> all;
#define ISOBATH_PUT_LARGE(name, Name, takes) \
  all.name.blocking = MPI_##Name##_c;        \
  all.name.nonblocking = MPI_I##name##_c;    \
  all.name.persistent = MPI_##Name##_init_c;
  ISOBATH_COUNTING_COLLECTIVES(ISOBATH_PUT_LARGE)
#undef ISOBATH_PUT_LARGE
  return all;
}

}  // namespace isobath
