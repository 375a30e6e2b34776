// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>

#include "apps/worker_program.hpp"

namespace isobath {

/// What isobath-overlap is asked to do.
struct OverlapOptions : WorkerOptions {
  OverlapOptions() {
    repetitions = 20;
    budget_seconds = 0.5;
  }

  OverlapSweep sweep;
  int order = 32;
  /// Nanoseconds of a collective of a size, measured before: its work is chosen by them instead.
  std::map<std::pair<std::string, std::int64_t>, double> references;
  std::map<WorkKind, double> units;  // nanoseconds of a unit of work, measured before
};

/// @throws UsageError for anything it does not know or that makes no sense
CommandLine<OverlapOptions> read_overlap_command_line(int argc, const char* const* argv);

}  // namespace isobath
