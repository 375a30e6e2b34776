// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/options.hpp"
#include "apps/run_main.hpp"
#include "comm/ledger.hpp"
#include "comm/node_map.hpp"
#include "graph500/communication_records.hpp"
#include "graph500/kronecker_benchmark.hpp"
#include "placement/thread_setup.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-graph500 between the start and the end of MPI.
class Graph500Program final : public Program {
 public:
  Graph500Program(Options options, std::vector<std::string> argv);

  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  ExitCode run(Communicator& world, Vitals& vitals) override;
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 private:
  ThreadSetup prepare(const Communicator& world);
  void open_records(const Communicator& world);
  CommunicationRecords keep_ledger(Communicator& world);
  void describe_run(const Communicator& world, const ThreadSetup& threads,
                    const CommunicationRecords& communication);
  BenchmarkRequest request() const;

  Options options_;
  std::vector<std::string> argv_;
  double started_;
  std::string started_at_;
  GridShape grid_;
  NodeMap nodes_;
  std::vector<double> clock_skew_;
  std::optional<Ledger> ledger_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
