/* SPDX-License-Identifier: Apache-2.0 */
/* One rank that spawns two of the same program; all three meet in a barrier, the two in an allreduce of 40 bytes. */
#include <mpi.h>

int main(int argc, char** argv) {
  char out[40] = {0}, in[40];
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, MPI_ERRCODES_IGNORE);
  } else {
    MPI_Allreduce(out, in, 40, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  }
  MPI_Barrier(other);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
