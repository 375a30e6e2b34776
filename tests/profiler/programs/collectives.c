/* SPDX-License-Identifier: Apache-2.0 */
/* Every blocking collective once or more with bytes that test_known_counts.py works out by hand. Any number of ranks. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void irregular(void) {
  /* Rank i sends (i + 1) * 10 + j ints to rank j, nothing where i + j is odd. */
  int *counts = calloc(4 * size, sizeof(int)), *offsets = counts + size;
  int *from = counts + 2 * size, *from_offsets = counts + 3 * size;
  int total = 0, total_from = 0;
  for (int j = 0; j < size; ++j) {
    counts[j] = (rank + j) % 2 ? 0 : (rank + 1) * 10 + j;
    from[j] = (rank + j) % 2 ? 0 : (j + 1) * 10 + rank;
    offsets[j] = total;
    from_offsets[j] = total_from;
    total += counts[j];
    total_from += from[j];
  }
  int *out = calloc(total + 1, sizeof(int)), *in = calloc(total_from + 1, sizeof(int));
  MPI_Alltoallv(out, counts, offsets, MPI_INT, in, from, from_offsets, MPI_INT, MPI_COMM_WORLD);
  free(counts);
  free(out);
  free(in);
}

static void regular(void) {
  double *out = calloc(8 * size, sizeof(double)), *in = calloc(8 * size, sizeof(double));
  int counts[64], offsets[64];
  for (int i = 0; i < size; ++i) {
    counts[i] = i + 1;
    offsets[i] = i * 8;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(out, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gather(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Gatherv(out, rank + 1, MPI_DOUBLE, in, counts, offsets, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Scatter(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Scatterv(out, counts, offsets, MPI_DOUBLE, in, rank + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allgather(out, 5, MPI_DOUBLE, in, 5, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgatherv(out, rank + 1, MPI_DOUBLE, in, counts, offsets, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(out, 6, MPI_DOUBLE, in, 6, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 7, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Reduce(out, in, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, in, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(out, in, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(out, in, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(out);
  free(in);
}

static void with_types_of_its_own(void) {
  /* Every third int of nine: 12 bytes of data in 28 of memory. */
  MPI_Datatype gaps;
  MPI_Type_vector(3, 1, 3, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  int *out = calloc(32 * size, sizeof(int)), *in = calloc(32 * size, sizeof(int));
  int counts[64], offsets[64];
  MPI_Datatype types[64];
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    offsets[i] = 32 * i * (int)sizeof(int);
    types[i] = gaps;
  }
  MPI_Alltoallw(out, counts, offsets, types, in, counts, offsets, types, MPI_COMM_WORLD);
  MPI_Type_free(&gaps);
  free(out);
  free(in);
}

static void between_two_groups(void) {
  /* Even and odd ranks; the first even rank sends 5 ints to all odd ones. */
  MPI_Comm half, both;
  const int odd = rank % 2;
  if (size < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, odd ? 0 : 1, 7, &both);
  int five[5] = {0};
  MPI_Bcast(five, 5, MPI_INT, odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  irregular();
  regular();
  with_types_of_its_own();
  between_two_groups();
  MPI_Finalize();
  return 0;
}
