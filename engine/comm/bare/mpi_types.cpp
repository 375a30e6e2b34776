// SPDX-License-Identifier: Apache-2.0
#include "comm/bare/mpi_types.hpp"

#include "base/error.hpp"

namespace isobath {

MPI_Datatype mpi_type(ElementType type) {
  switch (type) {
    case ElementType::plain_byte:
      return MPI_BYTE;
    case ElementType::int8:
      return MPI_INT8_T;
    case ElementType::uint8:
      return MPI_UINT8_T;
    case ElementType::int16:
      return MPI_INT16_T;
    case ElementType::uint16:
      return MPI_UINT16_T;
    case ElementType::int32:
      return MPI_INT32_T;
    case ElementType::uint32:
      return MPI_UINT32_T;
    case ElementType::int64:
      return MPI_INT64_T;
    case ElementType::uint64:
      return MPI_UINT64_T;
    case ElementType::single_precision:
      return MPI_FLOAT;
    case ElementType::double_precision:
      return MPI_DOUBLE;
  }
  throw InternalError("a datatype without a handle; please report this");
}

MPI_Op mpi_operation(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return MPI_SUM;
    case Operation::prod:
      return MPI_PROD;
    case Operation::min:
      return MPI_MIN;
    case Operation::max:
      return MPI_MAX;
    case Operation::band:
      return MPI_BAND;
    case Operation::bor:
      return MPI_BOR;
    case Operation::bxor:
      return MPI_BXOR;
    case Operation::land:
      return MPI_LAND;
    case Operation::lor:
      return MPI_LOR;
    case Operation::lxor:
      return MPI_LXOR;
  }
  throw InternalError("an operation without a handle; please report this");
}

}  // namespace isobath
