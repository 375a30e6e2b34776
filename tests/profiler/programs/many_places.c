/* SPDX-License-Identifier: Apache-2.0 */
/* More regions, calls and requests than are kept one by one. */
#include <mpi.h>
#include <stdio.h>

#include "isobath_region.h"

int main(int argc, char** argv) {
  char name[32], value = 0, sum;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 200; ++i) {
    snprintf(name, sizeof name, "part %d", i);
    isobath_region_change(name, -1);
    for (int k = 0; k < 5; ++k) MPI_Allreduce(&value, &sum, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
