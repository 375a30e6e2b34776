// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/overlap_options.hpp"
#include "apps/worker_program.hpp"

namespace isobath {

/// isobath-overlap between the start and the end of MPI.
class OverlapProgram final : public WorkerProgram<OverlapOptions> {
 public:
  using WorkerProgram::WorkerProgram;

 private:
  WorkerBenchmark benchmark() const override { return {.name = "overlap", .wrong = "contents"}; }
  Cells measure(WorkerTeam& team, Vitals& vitals) override;
};

}  // namespace isobath
