/* SPDX-License-Identifier: Apache-2.0 */
/* Four searches of 3, 4, 2 and 3 levels that nobody announces, as level-synchronous programs make them:
 * spread the frontier (allgather), send what was found to its owner (alltoallv, one message beside it), ask
 * whether anything is left (allreduce). Then a check with a loop of its own. */
#include <mpi.h>

enum { most_ranks = 8, room = 1 << 16 };
static char out[room * most_ranks], in[room * most_ranks];
static int counts[most_ranks], starts[most_ranks];
static int rank, ranks;

/* In level l every rank spreads 100 bytes and sends 1000 (l + 1) to each. */
static void level(int number) {
  MPI_Allgather(out, 100, MPI_BYTE, in, 100, MPI_BYTE, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = 1000 * (number + 1);
    starts[r] = room * r;
  }
  MPI_Alltoallv(out, counts, starts, MPI_BYTE, in, counts, starts, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Sendrecv(out, 7, MPI_BYTE, (rank + 1) % ranks, 0, in, 7, MPI_BYTE, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  long left = 1, sum = 0;
  MPI_Allreduce(&left, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static void check(void) {
  int worst = 0, error = 0;
  for (int part = 0; part < 2; ++part) {
    MPI_Alltoall(out, 500, MPI_BYTE, in, 500, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int levels[] = {3, 4, 2, 3};
  MPI_Alltoall(out, 5000, MPI_BYTE, in, 5000, MPI_BYTE, MPI_COMM_WORLD); /* construction */
  for (int search = 0; search < 4; ++search) {
    long root = search;
    MPI_Bcast(&root, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int number = 0; number < levels[search]; ++number) level(number);
    check();
  }
  MPI_Finalize();
  return 0;
}
