/* SPDX-License-Identifier: Apache-2.0 */
/* One Alltoallv: rank i sends (i + 1) * 10 + j ints to rank j, nothing where i + j is odd. At most 16 ranks. */
#include <mpi.h>

static int out[16 * 200], in[16 * 200];

int main(int argc, char** argv) {
  int rank, size, counts[16], offsets[16], from[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int j = 0; j < size; ++j) {
    counts[j] = (rank + j) % 2 ? 0 : (rank + 1) * 10 + j;
    from[j] = (rank + j) % 2 ? 0 : (j + 1) * 10 + rank;
    offsets[j] = j * 200;
  }
  MPI_Alltoallv(out, counts, offsets, MPI_INT, in, from, offsets, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
