// SPDX-License-Identifier: Apache-2.0
// Threads that send, receive and complete requests at once: what the library calls a request is soon the
// name of another thread's.
// Two ranks; usage: threads [MESSAGES [THREADS]]. Each thread of a rank exchanges so many messages with
// the same thread of the other rank, three receives and three sends at a time, completed in every way.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { AT_ONCE = 3, INTS = 10, MOST_THREADS = 16 };

static int messages = 1000;
static int other;

static void complete(int round, MPI_Request* requests, int count) {
  int indices[2 * AT_ONCE];
  int index = 0, done = 0, ended = 0;
  switch (round % 5) {
    case 0:
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
      break;
    case 1:
      for (int i = 0; i < count; ++i) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
      break;
    case 2:
      for (int i = 0; i < count; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case 3:
      for (ended = 0; ended < count; ended += done)
        MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
      break;
    default:
      while (!ended) MPI_Testall(count, requests, &ended, MPI_STATUSES_IGNORE);
  }
}

static void* exchange(void* number) {
  const int tag = (int)(size_t)number;
  int in[AT_ONCE][INTS], out[AT_ONCE][INTS] = {{0}};
  for (int round = 0; round < messages / AT_ONCE; ++round) {
    MPI_Request requests[2 * AT_ONCE];
    for (int i = 0; i < AT_ONCE; ++i)
      MPI_Irecv(in[i], INTS, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < AT_ONCE; ++i)
      MPI_Isend(out[i], INTS, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[AT_ONCE + i]);
    complete(round, requests, 2 * AT_ONCE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[MOST_THREADS];
  int provided, rank, count = 4;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    fprintf(stderr, "this library has no MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (argc > 1) messages = atoi(argv[1]);
  if (argc > 2) count = atoi(argv[2]);
  if (count > MOST_THREADS) count = MOST_THREADS;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, exchange, (void*)(size_t)i);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
