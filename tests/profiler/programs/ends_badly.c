/* SPDX-License-Identifier: Apache-2.0 */
/* Three allreduces, then rank 0 ends as its argument says: abort, crash, exit or return without MPI_Finalize, kill
   itself. With leave every rank calls _exit(0), once a child that it forked has done the same. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, one = 1, sum;
  const char* how = argc > 1 ? argv[1] : "return";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  if (rank == 0 && strcmp(how, "crash") == 0) *(volatile int*)0 = 1;
  if (rank == 0 && strcmp(how, "exit") == 0) exit(7);
  if (rank == 0 && strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "leave") == 0) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    _exit(0);
  }
  if (strcmp(how, "return") != 0) MPI_Barrier(MPI_COMM_WORLD); /* the others wait for ever */
  return 0;
}
