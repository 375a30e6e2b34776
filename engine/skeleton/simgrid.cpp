// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>

#include "skeleton/message_costs.hpp"
#include "skeleton/world.hpp"

namespace isobath::skeleton {

namespace {

constexpr double flops_per_second = 1e9;  // of every host of a platform (src/isobath/simulation/simgrid.py)

/// Algorithms of collectives copy short vectors into memory of their own, the longest of half a MiB.
constexpr std::size_t least_bytes = std::size_t{1} << 20;

}  // namespace

const char* origin() { return "simulated"; }

void begin() { take_message_costs(); }

void compute(double seconds) {
  if (seconds > 0) smpi_execute_flops(seconds * flops_per_second);
}

void* allocate(std::size_t, std::size_t copied) { return SMPI_SHARED_MALLOC(std::max(least_bytes, copied)); }

void release(void* bytes) { SMPI_SHARED_FREE(bytes); }

std::size_t place_of(std::size_t) { return 0; }

}  // namespace isobath::skeleton
