// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <span>

#include "comm/communicator.hpp"

namespace isobath {

/// Turns the return code of an MPI call into an exception. @throws MpiError with the call's name, the error's
/// class and the library's own words, when `code` is not MPI_SUCCESS.
void check(int code, const char* call);

/// The same for a call that completes several requests: says what befell the first that failed.
void check_all(int code, std::span<const MPI_Status> statuses, const char* call);

}  // namespace isobath
