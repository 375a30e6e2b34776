// SPDX-License-Identifier: Apache-2.0
// Compiled where the MPI library has no large-count calls.
#include "comm/bare/collective_functions.hpp"

namespace isobath {

CollectiveFunctions<LargeCounts> large_count_functions() { return {}; }

}  // namespace isobath
