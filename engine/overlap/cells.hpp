// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "overlap/fixed_work.hpp"

namespace isobath {

/// Who advances a collective that was started.
enum class ProgressMode {
  library,         // the library inside its calls: with no call in the work, nobody
  tests,           // MPI_Test in the work
  thread,          // a thread of ours, on the processor of its rank
  spare_thread,    // the same on a processor of its own
  library_thread,  // the library's thread; whoever launches the program switched it on
  offload,         // aggregation trees on spare ranks
};
std::string_view name_of(ProgressMode mode);
/// @throws UsageError
ProgressMode parse_progress_mode(std::string_view name);

/// What is to be measured, over which everything is swept.
struct OverlapSweep {
  std::vector<std::string> collectives = {"allreduce"};
  std::vector<std::int64_t> sizes = {16, 512, 4096, 8192};  // bytes
  std::vector<ProgressMode> modes = {ProgressMode::library, ProgressMode::tests};
  std::vector<WorkKind> works = {WorkKind::product, WorkKind::triad, WorkKind::scan};
  std::vector<double> ratios = {0.25, 0.5, 1, 2, 4};  // of work to call
  std::vector<int> tests = {0, 1, 10, 100};           // of mode tests
};

/// One setting of everything.
struct OverlapCell {
  std::string collective;
  std::int64_t size_bytes = 0;
  ProgressMode mode = ProgressMode::library;
  WorkKind work = WorkKind::product;
  double ratio = 1;
  int tests = 0;
};

/// The cells in the order in which they are measured: all ways to make progress of one collective and size
/// together. Of the first kind of work all ratios (with the middle number of tests) and all numbers of tests
/// (at the ratio next to 1) are there; of the other kinds the middle alone. A barrier has one size, none;
/// what aggregation trees cannot do has no cell for them.
std::vector<OverlapCell> overlap_cells(const OverlapSweep& sweep);

}  // namespace isobath
