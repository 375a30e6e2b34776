// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/heartbeat_watcher.hpp"
#include "apps/loaded_graph.hpp"
#include "apps/run_main.hpp"
#include "apps/search_options.hpp"
#include "graph500/protocol.hpp"
#include "graph500/thread_setup.hpp"
#include "record/heartbeat.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-search between the start and the end of MPI: the protocol of the benchmark on the graph of a file.
class SearchProgram final : public Program {
 public:
  SearchProgram(SearchOptions options, std::vector<std::string> argv);

  ExitCode run(Communicator& world) override;
  /// Writes a failure record, where this rank has a file for it.
  void failed(int rank, const std::exception& error, ExitCode code) override;

 private:
  void open_files(Communicator& world);
  GridShape grid_for(int ranks) const;
  void describe_run(const Communicator& world, const ThreadSetup& threads, GridShape grid);
  Benchmark benchmark(const Communicator& world, GridShape grid);

  SearchOptions options_;
  std::vector<std::string> argv_;
  double started_;
  std::string started_at_;
  LoadedGraph graph_;
  std::unique_ptr<Heartbeat> heartbeat_ = std::make_unique<Heartbeat>();
  std::optional<HeartbeatWatcher> watcher_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
