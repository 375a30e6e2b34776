/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two ranks in every way: blocking, non-blocking, persistent, matched, one-sided. test_known_counts.py
 * works out the bytes by hand. Ranks 0 and 1 take part. */
#include <mpi.h>
#include <stdlib.h>

static int rank;
static int out[4096], in[4096];

static void blocking(void) {
  if (rank == 0) {
    MPI_Send(out, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Ssend(out, 20, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Send(out, 5, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
    MPI_Sendrecv(out, 7, MPI_INT, 1, 4, in, 100, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Status status;
    MPI_Recv(in, 4096, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* room for more than comes */
    MPI_Recv(in, 20, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(out, 9, MPI_INT, 0, 5, in, 100, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void nonblocking(void) {
  MPI_Request requests[4];
  int index, flag = 0;
  if (rank == 0) {
    for (int i = 0; i < 4; ++i) MPI_Isend(out, 100 + i, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < 4; ++i) MPI_Irecv(in + i * 200, 200, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Ibcast(out, 30, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
}

static void persistent(void) {
  MPI_Request request;
  if (rank == 0) {
    MPI_Send_init(out, 50, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
  } else {
    MPI_Recv_init(in, 60, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
  }
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

static void matched(void) {
  if (rank == 0) {
    MPI_Send(out, 11, MPI_INT, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Message message;
    MPI_Mprobe(0, 8, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 11, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
}

static void one_sided(void) {
  MPI_Win window;
  MPI_Win_create(in, sizeof in, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) {
    MPI_Put(out, 12, MPI_INT, 1, 0, 12, MPI_INT, window);
    MPI_Accumulate(out, 13, MPI_INT, 1, 100, 13, MPI_INT, MPI_SUM, window);
  } else {
    MPI_Get(out, 14, MPI_INT, 0, 0, 14, MPI_INT, window);
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

static void neighbours(void) {
  /* A ring of two, not closed: each has one neighbour. */
  MPI_Comm line;
  int sizes[1] = {2}, open[1] = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, open, 0, &line);
  if (line == MPI_COMM_NULL) return;
  MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, line);
  MPI_Comm_free(&line);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  blocking();
  nonblocking();
  persistent();
  matched();
  one_sided();
  neighbours();
  MPI_Finalize();
  return 0;
}
