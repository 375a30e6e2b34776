// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "apps/options.hpp"
#include "apps/run_program.hpp"
#include "comm/ledger/ledger.hpp"
#include "comm/nodes/node_map.hpp"
#include "graph500/communication_records.hpp"
#include "graph500/kronecker_benchmark.hpp"
#include "placement/thread_setup.hpp"

namespace isobath {

/// isobath-graph500 between the start and the end of MPI.
class Graph500Program final : public ProgramOf<Options> {
 public:
  using ProgramOf::ProgramOf;
  ExitCode run(Communicator& world, Vitals& vitals) override;

 private:
  ThreadSetup prepare(const Communicator& world);
  CommunicationRecords keep_ledger(Communicator& world);
  void describe_run(const Communicator& world, const ThreadSetup& threads,
                    const CommunicationRecords& communication);
  BenchmarkRequest request() const;

  GridShape grid_;
  NodeMap nodes_;
  std::vector<double> clock_skew_;
  std::optional<Ledger> ledger_;
};

}  // namespace isobath
