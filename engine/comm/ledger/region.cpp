// SPDX-License-Identifier: Apache-2.0
#include "comm/ledger/region.hpp"

#include <mpi.h>

namespace isobath {
namespace {

/// ISOBATH_REGION_CHANGE and _SEARCH of profiler/isobath_region.h, which a program that is profiled need not
/// include.
constexpr int change_region = 150902;
constexpr int set_search = 150903;

bool is_mpi_running() noexcept {
  int is_initialized = 0;
  int is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  return is_initialized != 0 && is_finalized == 0;  // MPICH ends a program that says more then
}

}  // namespace

void announce_region(const char* name, int number) noexcept {
  if (is_mpi_running()) MPI_Pcontrol(change_region, name, number);
}

void announce_search(int number) noexcept {
  if (is_mpi_running()) MPI_Pcontrol(set_search, number);
}

}  // namespace isobath
