// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace isobath::skeleton {

/// What a machine and SimGrid do differently: machine.cpp and simgrid.cpp, one of which is built.

/// "measured" or "simulated".
const char* origin();

/// After MPI_Init, before anything is sent. Throws std::runtime_error for costs of messages that are none.
void begin();

/// Computes for so long.
void compute(double seconds);

/// Bytes whose contents nobody looks at; nullptr where there is no room. SimGrid carries nothing from what it
/// calls shared, so that a few bytes stand for any number: a search of scale 35 would need more memory than
/// any machine that simulates it.
/// @param copied  what a rank itself may copy of them: what it gives to others in a collective call
void* allocate(std::size_t bytes, std::size_t copied);
void release(void* bytes);

/// Where in them something lies that would lie there on a machine. Under SimGrid all lies at their beginning.
std::size_t place_of(std::size_t offset);

}  // namespace isobath::skeleton
