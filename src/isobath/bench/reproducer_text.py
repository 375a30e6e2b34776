# SPDX-License-Identifier: Apache-2.0
"""The text of a reproducer: arguments of every collective, and the program around the call."""

from string import Template

ARGUMENTS = {
    "barrier": "",
    "bcast": "from, m, MPI_BYTE, ROOT",
    "gather": "from, m, MPI_BYTE, into, m, MPI_BYTE, ROOT",
    "gatherv": "from, sent[ROOT], MPI_BYTE, into, got, got_at, MPI_BYTE, ROOT",
    "scatter": "from, m, MPI_BYTE, into, m, MPI_BYTE, ROOT",
    "scatterv": "from, sent, sent_at, MPI_BYTE, into, got[ROOT], MPI_BYTE, ROOT",
    "allgather": "from, m, MPI_BYTE, into, m, MPI_BYTE",
    "allgatherv": "from, sent[rank], MPI_BYTE, into, got, got_at, MPI_BYTE",
    "alltoall": "from, m, MPI_BYTE, into, m, MPI_BYTE",
    "alltoallv": "from, sent, sent_at, MPI_BYTE, into, got, got_at, MPI_BYTE",
    "alltoallw": "from, sent, sent_at, types, into, got, got_at, types",
    "reduce": "from, into, m / WIDTH, TYPE, OP, ROOT",
    "allreduce": "from, into, m / WIDTH, TYPE, OP",
    "reduce_scatter": "from, into, elements, TYPE, OP",
    "reduce_scatter_block": "from, into, m / WIDTH, TYPE, OP",
    "scan": "from, into, m / WIDTH, TYPE, OP",
    "exscan": "from, into, m / WIDTH, TYPE, OP",
    "neighbor_allgather": "from, m, MPI_BYTE, into, m, MPI_BYTE",
    "neighbor_allgatherv": "from, m, MPI_BYTE, into, near, near_at, MPI_BYTE",
    "neighbor_alltoall": "from, m, MPI_BYTE, into, m, MPI_BYTE",
    "neighbor_alltoallv": "from, near, near_at, MPI_BYTE, into, near, near_at, MPI_BYTE",
    "neighbor_alltoallw": (
        "from, near, near_far, near_types, into, near, near_far, near_types"
    ),
}  # fmt: skip
"""Before the communicator."""

PROGRAM = Template("""\
/* $words
 * $library
 * measured: median $median us over $launches launches$environment
 * build and run: mpicc -O2 reproducer.c -o reproducer && mpiexec -n $world ./reproducer
 * Prints the median over repetitions of (last exit - first entry), of the slowest communicator, in
 * microseconds. Ranks of one node share a clock; on several nodes it prints the longest time of a
 * rank instead. $otherwise */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORLD = $world, RANKS = $ranks, GROUPS = $groups, REPETITIONS = $repetitions, WARM_UP = 20 };
enum { ROOT = $root, WIDTH = $width, DIMENSIONS = $dimensions, NEIGHBOURS = $neighbours };
enum { DIRTY = $dirty, BLOCKS = RANKS + 2 * DIMENSIONS };
#define TYPE $type
#define OP $operation

/* Which communicator a rank of the world is in, and its rank there. */
static const int COLOUR[WORLD] = {$colours};
static const int KEY[WORLD] = {$keys};
$table
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int bytes_from_to(int group_number, int from, int to, int m) {
  (void)group_number, (void)from, (void)to, (void)m;
  return $bytes_from_to;
}

/* Waits for all without keeping a processor busy. */
static void meet_asleep(void) {
  MPI_Request request;
  const struct timespec pause = {0, 1000000};
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int done = 0; !done; nanosleep(&pause, NULL)) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

static double measure(MPI_Comm all, MPI_Comm comm, int group_number, int one_node) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  const int m = $size; /* bytes */
  int sent[RANKS], sent_at[RANKS], got[RANKS], got_at[RANKS], elements[RANKS];
  int near[2 * DIMENSIONS], near_at[2 * DIMENSIONS];
  MPI_Aint near_far[2 * DIMENSIONS];
  MPI_Datatype types[RANKS], near_types[2 * DIMENSIONS];
  size_t out = 0, in = 0;
  for (int i = 0; i < RANKS; ++i) {
    sent[i] = bytes_from_to(group_number, rank, i, m);
    got[i] = bytes_from_to(group_number, i, rank, m);
    sent_at[i] = (int)out;
    got_at[i] = (int)in;
    out += (size_t)sent[i];
    in += (size_t)got[i];
    elements[i] = m / WIDTH;
    types[i] = MPI_BYTE;
  }
  for (int i = 0; i < 2 * DIMENSIONS; ++i) {
    near[i] = m;
    near_at[i] = i * m;
    near_far[i] = (MPI_Aint)i * m;
    near_types[i] = MPI_BYTE;
  }
  const size_t least = (size_t)BLOCKS * (size_t)m, room = 8 + (out > in ? out : in);
  const size_t bytes = room > least + 8 ? room : least + 8;
  char *from = calloc(bytes, 1), *into = calloc(bytes, 1);
  double *times = malloc(sizeof(double) * REPETITIONS);
  if (from == NULL || into == NULL || times == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  (void)sent, (void)sent_at, (void)got, (void)got_at, (void)elements, (void)types;
  (void)near, (void)near_at, (void)near_far, (void)near_types;
  MPI_Request request = MPI_REQUEST_NULL;
  (void)request;
  volatile char seen = 0;
  $before
  for (int n = -WARM_UP; n < REPETITIONS; ++n) {
    if (DIRTY) memset(from, n, bytes);
    MPI_Barrier(all);
    MPI_Barrier(all);
    double entry = MPI_Wtime();
    $call
    double last = MPI_Wtime(), seconds = last - entry, first = entry;
    if (one_node) {
      MPI_Allreduce(&entry, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
      seconds = last - first;
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, all);
    if (DIRTY) {
      for (size_t i = 0; i < bytes; i += 64) seen = (char)(seen + into[i]);
    }
    if (n >= 0) times[n] = seconds;
  }
  $after
  qsort(times, REPETITIONS, sizeof(double), ascending);
  const double median = times[REPETITIONS / 2];
  free(from);
  free(into);
  free(times);
  return median;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, ranks_here, one_node;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != WORLD) {
    if (rank == 0) fprintf(stderr, "start %d ranks, not %d\\n", WORLD, size);
    MPI_Finalize();
    return 2;
  }
  MPI_Comm node, all, comm;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks_here);
  one_node = ranks_here == size;
  MPI_Allreduce(MPI_IN_PLACE, &one_node, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  const int takes_part = COLOUR[rank] < GROUPS; /* one communicator alone, or all at once */
  MPI_Comm_split(MPI_COMM_WORLD, takes_part, rank, &all);
  MPI_Comm_split(MPI_COMM_WORLD, COLOUR[rank], KEY[rank], &comm);
  if (NEIGHBOURS) {
    const int extents[DIMENSIONS] = {$extents}, periods[DIMENSIONS] = {0};
    MPI_Comm cartesian;
    MPI_Cart_create(comm, DIMENSIONS, extents, periods, 0, &cartesian);
    MPI_Comm_free(&comm);
    comm = cartesian;
  }
  if (takes_part) {
    const double median = measure(all, comm, COLOUR[rank], one_node);
    if (rank == 0) printf("%.3f\\n", 1e6 * median);
  }
  meet_asleep();
  MPI_Comm_free(&all);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
""")
