// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "profiler/process.hpp"
#include "profiler/recorder.hpp"

namespace isobath::profiler {

/// What the profiler costs, measured by itself on this machine.
struct Overhead {
  double nanoseconds_per_call = 0;
  double nanoseconds_per_count = 0;  // of a count array
};

/// What a rank's file says besides what was recorded.
struct RankFacts {
  int rank = 0;
  int size = 1;
  std::string ended;
  std::string library;  // what MPI_Get_library_version said
  std::int64_t nanoseconds = 0;
  std::int64_t now = 0;  // on the clock of the calls
  std::int64_t requests_left_out = 0;
  std::int64_t checkpoint_nanoseconds = 0;  // spent on writing while the program ran
  Overhead overhead;
  ProcessFacts process;
};

/// How much is written: the single collective calls may be left out.
enum class Detail { totals, all };

/// Writes everything as JSON lines to file.jsonl: under another name first, so that what stands there is
/// whole. Allocates little and throws nothing, for it may run in a signal handler.
void write_rank_file(const std::string& file, const RankFacts& facts, const Recorder& recorder,
                     Detail detail);

}  // namespace isobath::profiler
