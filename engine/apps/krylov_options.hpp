// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "krylov/methods.hpp"
#include "overlap/cells.hpp"
#include "timing/start_alignment.hpp"

namespace isobath {

/// One setting of everything.
struct KrylovCell {
  std::int64_t elements = 0;
  KrylovMethod method = KrylovMethod::cg;
  std::optional<ProgressMode> mode = std::nullopt;  // absent: all reductions block
  int tests = 0;
};

/// What isobath-krylov is asked to do.
struct KrylovOptions {
  std::vector<std::int64_t> elements = {256};
  std::vector<KrylovMethod> methods = {KrylovMethod::cg, KrylovMethod::single, KrylovMethod::gropp,
                                       KrylovMethod::pipelined};
  std::vector<ProgressMode> modes = {ProgressMode::library, ProgressMode::tests};
  std::vector<int> tests = {4};
  int iterations = 100;
  int aggregators = 0;
  int trees = 1;
  int radix = 2;
  std::optional<int> threads;
  int repetitions = 5;
  double budget_seconds = 60;  // of a cell
  Alignment alignment = Alignment::dissemination;
  unsigned seed = 0;  // of the order of cells; 0: as they are listed
  int launch = 0;
  std::string record_file;
  std::string heartbeat_file;  // empty: none
  std::string run_id;
};

struct KrylovCommandLine {
  KrylovOptions options;
  std::optional<std::string> answer;  // of --help, --version: print it and stop
};

/// @throws UsageError for anything it does not know or that makes no sense
KrylovCommandLine read_krylov_command_line(int argc, const char* const* argv);

/// Every method with blocking reductions, which of those that start them early is the control arm; then
/// those, under each way to make progress. In the order of the seed.
std::vector<KrylovCell> krylov_cells(const KrylovOptions& options);

}  // namespace isobath
