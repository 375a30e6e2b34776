/* SPDX-License-Identifier: Apache-2.0
 * named_calls COLLECTIVE BLOCK...: calls a collective with blocks of so many bytes until a timer has seen its
 * stack often enough, and prints a line for each block with the functions of the library that rank 0 was in.
 */
#include <execinfo.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { SAMPLES = 200, DEEPEST = 40, CALLS = 200, LARGEST = 1 << 16 };

static void* stacks[SAMPLES][DEEPEST];
static int depths[SAMPLES];
static volatile sig_atomic_t taken;

static void look(int number) {
  (void)number;
  if (taken < SAMPLES) {
    depths[taken] = backtrace(stacks[taken], DEEPEST);
    ++taken;
  }
}

static void call(const char* name, char* from, char* into, int bytes, int ranks) {
  MPI_Comm comm = MPI_COMM_WORLD;
  if (!strcmp(name, "alltoall")) MPI_Alltoall(from, bytes, MPI_BYTE, into, bytes, MPI_BYTE, comm);
  if (!strcmp(name, "allgather")) MPI_Allgather(from, bytes, MPI_BYTE, into, bytes, MPI_BYTE, comm);
  if (!strcmp(name, "gather")) MPI_Gather(from, bytes, MPI_BYTE, into, bytes, MPI_BYTE, 0, comm);
  if (!strcmp(name, "scatter")) MPI_Scatter(from, bytes, MPI_BYTE, into, bytes, MPI_BYTE, 0, comm);
  if (!strcmp(name, "allreduce")) MPI_Allreduce(from, into, bytes / 8, MPI_INT64_T, MPI_SUM, comm);
  if (!strcmp(name, "reduce_scatter_block"))
    MPI_Reduce_scatter_block(from, into, bytes / 8, MPI_INT64_T, MPI_SUM, comm);
  (void)ranks;
}

int main(int argc, char** argv) {
  /* Threads of the library inherit this: two of them in look() at once would write beyond its arrays. */
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGALRM);
  sigprocmask(SIG_BLOCK, &timer, NULL);
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *from = calloc((size_t)ranks * LARGEST, 1), *into = calloc((size_t)ranks * LARGEST, 1);
  void* first[2];
  backtrace(first, 2); /* loads what it needs */
  signal(SIGALRM, look);
  sigprocmask(SIG_UNBLOCK, &timer, NULL);
  for (int i = 2; i < argc; ++i) {
    taken = 0;
    const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    /* However long a call takes on a busy machine, rank 0 says when it has seen enough. */
    for (int enough = 0; !enough;) {
      setitimer(ITIMER_REAL, &often, NULL);
      for (int n = 0; n < CALLS; ++n) call(argv[1], from, into, atoi(argv[i]), ranks);
      setitimer(ITIMER_REAL, &never, NULL);
      enough = taken >= SAMPLES;
      MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
      printf("%s", argv[i]);
      for (int s = 0; s < taken; ++s) {
        char** names = backtrace_symbols(stacks[s], depths[s]);
        for (int d = 0; d < depths[s]; ++d) {
          char* name = strchr(names[d], '(');
          if (name && strstr(name, "ompi_coll_base_"))
            printf(" %.*s", (int)strcspn(name + 1, "+)"), name + 1);
        }
        free(names);
      }
      printf("\n");
    }
  }
  MPI_Finalize();
  return 0;
}
