// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "comm/bare/element_type.hpp"

namespace isobath {

/// MPI's handles. They are constants of the library, valid once MPI runs.
MPI_Datatype mpi_type(ElementType type);
MPI_Op mpi_operation(Operation operation);

}  // namespace isobath
