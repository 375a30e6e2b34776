/* SPDX-License-Identifier: Apache-2.0 */
/* Three allreduces, then rank 0 ends as its argument says: abort, crash, exit or return without MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, one = 1, sum;
  const char* how = argc > 1 ? argv[1] : "return";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  if (rank == 0 && strcmp(how, "crash") == 0) *(volatile int*)0 = 1;
  if (rank == 0 && strcmp(how, "exit") == 0) exit(7);
  if (strcmp(how, "return") != 0) MPI_Barrier(MPI_COMM_WORLD); /* the others wait for ever */
  return 0;
}
