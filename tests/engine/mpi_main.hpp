// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/communicator.hpp"

namespace isobath::test {

/// All ranks of the test program. Every rank runs the same tests in the same order.
const Communicator& world();

}  // namespace isobath::test
