// SPDX-License-Identifier: Apache-2.0
// Threads of a simulated rank: one, which has a simulated processor for itself and is bound to none of this
// machine.
#include "base/expects.hpp"
#include "placement/thread_setup.hpp"

namespace isobath {

ThreadSetup set_up_threads(const Communicator& /*world*/, std::optional<int> requested) {
  ISOBATH_EXPECTS(requested == 1);
  return {};
}

}  // namespace isobath
