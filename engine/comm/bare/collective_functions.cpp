// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/collective_functions.hpp"

namespace isobath {

CollectiveFunctions<SmallCounts> small_count_functions() {
  CollectiveFunctions<SmallCounts> all;
#define ISOBATH_PUT(name, Name, takes) \
  all.name.blocking = MPI_##Name;      \
  all.name.nonblocking = MPI_I##name;
  ISOBATH_COLLECTIVES(ISOBATH_PUT)
#undef ISOBATH_PUT
  add_persistent_functions(all);
  return all;
}

}  // namespace isobath
