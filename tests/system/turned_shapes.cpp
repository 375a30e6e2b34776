// SPDX-License-Identifier: Apache-2.0
// Preloaded: a library whose Cartesian topologies have their ranks the other way round.
#include <mpi.h>

extern "C" int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int coordinates[]) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return PMPI_Cart_coords(comm, ranks - 1 - rank, most, coordinates);
}
