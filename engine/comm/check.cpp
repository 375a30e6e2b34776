// SPDX-License-Identifier: Apache-2.0
#include "comm/check.hpp"

#include <mpi.h>

#include <string>

#include <fmt/format.h>

namespace isobath {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  text.resize(static_cast<std::size_t>(length));
  throw MpiError(fmt::format("{} failed: {} (MPI error {}); check the MPI installation and the other ranks' output",
                             call, text.empty() ? "the library says no more" : text, code));
}

}  // namespace isobath
