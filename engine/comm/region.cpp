// SPDX-License-Identifier: Apache-2.0
#include "comm/region.hpp"

#include <mpi.h>

namespace isobath {
namespace {

/// ISOBATH_REGION_CHANGE of profiler/isobath_region.h, which a program that is profiled need not include.
constexpr int change_region = 150902;

}  // namespace

void announce_region(const char* name, int number) noexcept {
  int is_initialized = 0;
  int is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  if (is_initialized == 0 || is_finalized != 0) return;  // MPICH ends a program that says more then
  MPI_Pcontrol(change_region, name, number);
}

}  // namespace isobath
