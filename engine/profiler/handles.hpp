// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <type_traits>

/// Handles that MPI predefines, for every binary interface: with Open MPI they are addresses inside the
/// library, which the profiler is not linked to.
namespace isobath::profiler {

MPI_Comm comm_world();
MPI_Comm comm_self();
MPI_Comm comm_null();
MPI_Request request_null();
MPI_Datatype byte_type();

/// A handle as a number, an address or an int underneath.
template <class Handle>
std::uintptr_t key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uintptr_t>(handle);
  }
}

}  // namespace isobath::profiler
