// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "skeleton/schedule.hpp"

namespace isobath::skeleton {

/// What this rank did in one step. Bytes and messages are counted as comm/ledger/traffic.hpp says: what the
/// operation needs, to others; messages of no bytes are calls, but no messages.
struct Played {
  std::int64_t calls = 0;
  std::int64_t messages = 0;
  std::int64_t bytes_sent = 0;
  double seconds = 0;  // in the step
  double ended = 0;    // since all ranks began together
};

/// Plays all steps, one after the other. MPI has been initialised; nothing else uses it meanwhile.
/// Throws std::runtime_error for a step that is too large for MPI's counts.
std::vector<Played> play(const Schedule& schedule);

/// Writes a record for each step, on rank 0 to standard output. All ranks call it.
void write_records(const Schedule& schedule, const std::vector<Played>& played, const std::string& run_id);

/// The whole program. @return its exit code
int run_program(int argc, char** argv);

}  // namespace isobath::skeleton
