// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/worker_program.hpp"
#include "krylov/methods.hpp"

namespace isobath {

/// One setting of everything.
struct KrylovCell {
  std::int64_t elements = 0;
  KrylovMethod method = KrylovMethod::cg;
  std::optional<ProgressMode> mode = std::nullopt;  // absent: all reductions block
  int tests = 0;
};

/// What isobath-krylov is asked to do.
struct KrylovOptions : WorkerOptions {
  KrylovOptions() {
    repetitions = 5;
    budget_seconds = 60;
  }

  std::vector<std::int64_t> elements = {256};
  std::vector<KrylovMethod> methods = {KrylovMethod::cg, KrylovMethod::single, KrylovMethod::gropp,
                                       KrylovMethod::pipelined};
  std::vector<int> tests = {4};
  int iterations = 100;
  unsigned seed = 0;  // of the order of cells; 0: as they are listed
};

/// @throws UsageError for anything it does not know or that makes no sense
CommandLine<KrylovOptions> read_krylov_command_line(int argc, const char* const* argv);

/// Every method with blocking reductions, which of those that start them early is the control arm; then
/// those, under each way to make progress. In the order of the seed.
std::vector<KrylovCell> krylov_cells(const KrylovOptions& options);

}  // namespace isobath
