// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>

#include "profiler/library.hpp"

namespace isobath::profiler {

/// Bytes of data in one element, gaps left out.
inline std::int64_t type_bytes(MPI_Datatype type) {
  static constinit LibraryFunction<decltype(PMPI_Type_size_x)> type_size{"PMPI_Type_size_x"};
  MPI_Count bytes = 0;
  type_size(type, &bytes);
  return static_cast<std::int64_t>(bytes);
}

/// Nothing is asked of the type of no elements: it need not be valid.
template <class Count>
std::int64_t bytes_of(Count count, MPI_Datatype type) {
  return count > 0 ? static_cast<std::int64_t>(count) * type_bytes(type) : 0;
}

}  // namespace isobath::profiler
