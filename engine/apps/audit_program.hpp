// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "generator/kronecker.hpp"
#include "reference/traffic_walk.hpp"

namespace isobath {

/// What isobath-audit is asked to do.
struct AuditRequest {
  KroneckerParameters graph;
  reference::TrafficRules rules;
  std::string searches_file;
  int threads = 0;                    // 0: as OpenMP says
  std::optional<std::string> answer;  // of --help and --version: print it and stop
};

/// Reads the command line: the options of isobath-graph500 that change what is sent, each with the default
/// that it has for the plan.
/// @throws UsageError for anything it does not know or that the plan does not do
AuditRequest read_audit_command_line(int argc, const char* const* argv);

/// Generates the graph, walks every search of the file and prints what each rank must send, one line of JSON
/// for each phase of each level (record/audit_lines.hpp). Needs no MPI.
/// @throws UsageError for searches that cannot be
void print_audit(const AuditRequest& request);

}  // namespace isobath
