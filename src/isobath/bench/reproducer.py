# SPDX-License-Identifier: Apache-2.0
"""One file of C that measures one cell again, for those who will not install Isobath."""

from string import Template

from isobath.bench.measured import MeasuredCell
from isobath.errors import UsageError

CALLS = {
    "barrier": "MPI_Barrier(comm)",
    "bcast": "MPI_Bcast(from, m, MPI_BYTE, ROOT, comm)",
    "gather": "MPI_Gather(from, m, MPI_BYTE, into, m, MPI_BYTE, ROOT, comm)",
    "gatherv": "MPI_Gatherv(from, m, MPI_BYTE, into, counts, places, MPI_BYTE, ROOT, comm)",
    "scatter": "MPI_Scatter(from, m, MPI_BYTE, into, m, MPI_BYTE, ROOT, comm)",
    "scatterv": "MPI_Scatterv(from, counts, places, MPI_BYTE, into, m, MPI_BYTE, ROOT, comm)",
    "allgather": "MPI_Allgather(from, m, MPI_BYTE, into, m, MPI_BYTE, comm)",
    "allgatherv": "MPI_Allgatherv(from, m, MPI_BYTE, into, counts, places, MPI_BYTE, comm)",
    "alltoall": "MPI_Alltoall(from, m, MPI_BYTE, into, m, MPI_BYTE, comm)",
    "alltoallv": (
        "MPI_Alltoallv(from, counts, places, MPI_BYTE, into, counts, places, MPI_BYTE, comm)"
    ),
    "reduce": "MPI_Reduce(from, into, m / WIDTH, TYPE, OP, ROOT, comm)",
    "allreduce": "MPI_Allreduce(from, into, m / WIDTH, TYPE, OP, comm)",
    "reduce_scatter_block": "MPI_Reduce_scatter_block(from, into, m / WIDTH, TYPE, OP, comm)",
    "reduce_scatter": "MPI_Reduce_scatter(from, into, elements, TYPE, OP, comm)",
    "scan": "MPI_Scan(from, into, m / WIDTH, TYPE, OP, comm)",
    "exscan": "MPI_Exscan(from, into, m / WIDTH, TYPE, OP, comm)",
}
"""By collective; counts are those of the file, all equal."""

TYPES = {
    "byte": ("MPI_BYTE", 1), "int8": ("MPI_INT8_T", 1), "uint8": ("MPI_UINT8_T", 1),
    "int16": ("MPI_INT16_T", 2), "uint16": ("MPI_UINT16_T", 2), "int32": ("MPI_INT32_T", 4),
    "uint32": ("MPI_UINT32_T", 4), "int64": ("MPI_INT64_T", 8), "uint64": ("MPI_UINT64_T", 8),
    "float": ("MPI_FLOAT", 4), "double": ("MPI_DOUBLE", 8),
}  # fmt: skip

LARGEST_COUNT = 2**31 - 1

PROGRAM = Template("""\
/* $words
 * $library
 * measured: median $median us over $launches launches$environment
 * build and run: mpicc -O2 reproducer.c -o reproducer && mpiexec -n $ranks ./reproducer
 * Prints the median over repetitions of (last exit - first entry), in microseconds. Ranks of one
 * node share a clock; on several nodes it prints the longest time of a rank instead. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = $ranks, REPETITIONS = $repetitions, WARM_UP = 20, ROOT = $root, WIDTH = $width };
#define TYPE $type
#define OP $operation

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size != RANKS) {
    if (rank == 0) fprintf(stderr, "start %d ranks, not %d\\n", RANKS, size);
    MPI_Finalize();
    return 2;
  }
  const int m = $size; /* bytes */
  int counts[RANKS], places[RANKS], elements[RANKS];
  for (int i = 0; i < RANKS; ++i) {
    counts[i] = m;
    places[i] = i * m;
    elements[i] = m / WIDTH;
  }
  char *from = calloc((size_t)RANKS * m + 8, 1), *into = calloc((size_t)RANKS * m + 8, 1);
  double *times = malloc(sizeof(double) * REPETITIONS);
  if (from == NULL || into == NULL || times == NULL) MPI_Abort(comm, 3);
  MPI_Comm node;
  int ranks_here, one_node;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks_here);
  one_node = ranks_here == size;
  MPI_Allreduce(MPI_IN_PLACE, &one_node, 1, MPI_INT, MPI_MIN, comm);
  MPI_Comm_free(&node);
  (void)counts, (void)places, (void)elements;
  for (int n = -WARM_UP; n < REPETITIONS; ++n) {
    MPI_Barrier(comm);
    MPI_Barrier(comm);
    double entry = MPI_Wtime();
    $call;
    double last = MPI_Wtime(), seconds = last - entry, first = entry;
    if (one_node) {
      MPI_Allreduce(&entry, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
      seconds = last - first;
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (n >= 0) times[n] = seconds;
  }
  qsort(times, REPETITIONS, sizeof(double), ascending);
  if (rank == 0) printf("%.3f\\n", 1e6 * times[REPETITIONS / 2]);
  free(from);
  free(into);
  free(times);
  MPI_Finalize();
  return 0;
}
""")


def reproducer(one: MeasuredCell, library: str) -> str:
    """The program of a cell.

    Args: library is what the MPI library says of itself.
    Raises: UsageError where the cell cannot be written in one file: sub-communicators, irregular
        counts, or a form other than blocking.
    """
    cell = one.cell
    if cell.counts != "uniform":
        raise UsageError(f"{cell.words()}: only uniform counts are written; choose such a cell")
    if cell.form != "blocking" or cell.along != "world" or cell.collective not in CALLS:
        raise UsageError(
            f"{cell.words()}: only blocking collectives on all ranks are written as a program; "
            "choose such a cell"
        )
    ranks = one.first.ranks
    if cell.size_bytes * ranks > LARGEST_COUNT:
        raise UsageError(f"{cell.words()}: its counts need more than 31 bits; take a smaller size")
    type_name, width = TYPES[one.first.datatype]
    forced = cell.algorithm
    environment = "" if forced is None else f"; set {forced.variable}={forced.value}"
    return PROGRAM.substitute(
        words=_comment(cell.words()),
        library=_comment(library),
        median=f"{one.seconds * 1e6:.3f}" if one.is_result else "of no result",
        launches=len(one.launches),
        environment=_comment(environment),
        ranks=ranks,
        repetitions=max(101, min(1000, one.first.repetitions)),
        root=one.first.root_rank or 0,
        type=type_name,
        width=width,
        operation=f"MPI_{(one.first.operation or 'sum').upper()}",
        size=cell.size_bytes,
        call=CALLS[cell.collective],
    )


def _comment(text: str) -> str:
    """Text that cannot end the comment it stands in."""
    return " ".join(text.replace("*/", "* /").split())
