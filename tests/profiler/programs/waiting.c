/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 comes 50 ms late to a barrier, and again as the root of a broadcast; then rank 0 comes late to that root. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) usleep(50000);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 1) usleep(50000);
  MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
