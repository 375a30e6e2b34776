// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "overlap/cells.hpp"
#include "timing/start_alignment.hpp"

namespace isobath {

/// What isobath-overlap is asked to do.
struct OverlapOptions {
  OverlapSweep sweep;
  int order = 32;
  int aggregators = 0;
  int trees = 1;
  int radix = 2;
  std::optional<int> threads;
  int repetitions = 20;
  double budget_seconds = 0.5;  // of a cell
  Alignment alignment = Alignment::dissemination;
  int launch = 0;
  /// Nanoseconds of a collective of a size, measured before: its work is chosen by them instead.
  std::map<std::pair<std::string, std::int64_t>, double> references;
  std::map<WorkKind, double> units;  // nanoseconds of a unit of work, measured before
  std::string record_file;
  std::string heartbeat_file;  // empty: none
  std::string run_id;
};

struct OverlapCommandLine {
  OverlapOptions options;
  std::optional<std::string> answer;  // of --help, --version, --list: print it and stop
};

/// @throws UsageError for anything it does not know or that makes no sense
OverlapCommandLine read_overlap_command_line(int argc, const char* const* argv);

}  // namespace isobath
