/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks exchange messages of known sizes by the calls of MPI 4 that send and receive at once, and one by
 * MPI_Sendrecv. */
#include <mpi.h>

int main(int argc, char** argv) {
  static int out[100], in[100];
  int rank;
  MPI_Request request;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isendrecv(out, 10 + rank, MPI_INT, 1 - rank, 5, in, 100, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, &status);
  MPI_Isendrecv_replace(out, 20, MPI_INT, 1 - rank, 6, 1 - rank, 6, MPI_COMM_WORLD, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 7, MPI_INT, 1 - rank, 7, in, 100, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &status);
  MPI_Finalize();
  return 0;
}
