// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has persistent collectives (MPI 4).
#include "comm/bare/collective_functions.hpp"

namespace isobath {

void add_persistent_functions(CollectiveFunctions<SmallCounts>& all) {
#define ISOBATH_PUT_PERSISTENT(name, Name, takes) all.name.persistent = MPI_##Name##_init;
  ISOBATH_COLLECTIVES(ISOBATH_PUT_PERSISTENT)
#undef ISOBATH_PUT_PERSISTENT
}

}  // namespace isobath
