/* SPDX-License-Identifier: Apache-2.0 */
/* Some rounds of messages; then the last rank receives what nobody sends, and the others ask without end. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank = 0, size = 1, found = 0, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 3; ++round) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == size - 1) MPI_Recv(&value, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (!found) MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
