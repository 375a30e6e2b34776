// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/krylov_options.hpp"
#include "apps/worker_program.hpp"

namespace isobath {

/// isobath-krylov between the start and the end of MPI.
class KrylovProgram final : public WorkerProgram<KrylovOptions> {
 public:
  using WorkerProgram::WorkerProgram;

 private:
  WorkerBenchmark benchmark() const override { return {.name = "krylov", .wrong = "norms"}; }
  void check_workers(int workers) const override;
  Cells measure(WorkerTeam& team, Vitals& vitals) override;
};

}  // namespace isobath
