// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/communicator.hpp"

namespace isobath {

/// Turns the return code of an MPI call into an exception. @throws MpiError with the call's name and the library's
/// own words, when `code` is not MPI_SUCCESS.
void check(int code, const char* call);

}  // namespace isobath
