/* SPDX-License-Identifier: Apache-2.0 */
/* Regions by name, by level, and switched off; two searches; then one allreduce of 60,000 bytes. */
#include <mpi.h>

#include "isobath_region.h"

static char out[60000], in[60000];

static void reduce(int bytes) { MPI_Allreduce(out, in, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  reduce(1);
  isobath_region_enter("outer");
  reduce(2);
  isobath_region_enter("inner");
  reduce(4);
  isobath_region_leave();
  reduce(8);
  isobath_region_leave();
  for (int level = 0; level < 3; ++level) {
    isobath_region_change("level", level);
    reduce(16);
  }
  isobath_region_change(0, -1);
  MPI_Pcontrol(5);
  reduce(32);
  MPI_Pcontrol(-5);
  for (int search = 0; search < 2; ++search) {
    isobath_region_search(search);
    isobath_region_enter("searched");
    reduce(128 + search);
    isobath_region_leave();
  }
  isobath_region_search(-1);
  MPI_Pcontrol(0);
  reduce(64);
  MPI_Pcontrol(1);
  reduce(60000);
  MPI_Finalize();
  return 0;
}
