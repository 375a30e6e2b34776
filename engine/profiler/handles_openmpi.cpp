// SPDX-License-Identifier: Apache-2.0
// Open MPI: predefined handles are objects of its library.
#include "profiler/handles.hpp"
#include "profiler/library.hpp"

namespace isobath::profiler {
namespace {

template <class Handle>
Handle object(const char* name) {
  return static_cast<Handle>(find_object(name));
}

}  // namespace

MPI_Comm comm_world() {
  static const auto handle = object<MPI_Comm>("ompi_mpi_comm_world");
  return handle;
}
MPI_Comm comm_self() {
  static const auto handle = object<MPI_Comm>("ompi_mpi_comm_self");
  return handle;
}
MPI_Comm comm_null() {
  static const auto handle = object<MPI_Comm>("ompi_mpi_comm_null");
  return handle;
}
MPI_Request request_null() {
  static const auto handle = object<MPI_Request>("ompi_request_null");
  return handle;
}
MPI_Datatype byte_type() {
  static const auto handle = object<MPI_Datatype>("ompi_mpi_byte");
  return handle;
}

}  // namespace isobath::profiler
