// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has no persistent collectives.
#include "comm/bare/collective_functions.hpp"

namespace isobath {

void add_persistent_functions(CollectiveFunctions<SmallCounts>& /*all*/) {}

}  // namespace isobath
