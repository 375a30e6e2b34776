// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/loaded_graph.hpp"
#include "apps/run_main.hpp"
#include "apps/search_options.hpp"
#include "graph500/protocol.hpp"
#include "placement/thread_setup.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-search between the start and the end of MPI: the protocol of the benchmark on the graph of a file.
class SearchProgram final : public Program {
 public:
  SearchProgram(SearchOptions options, std::vector<std::string> argv);

  std::string heartbeat_file() const override { return options_.heartbeat_file; }
  ExitCode run(Communicator& world, Vitals& vitals) override;
  RecordWriter* records() override { return records_ ? &*records_ : nullptr; }

 private:
  void open_records(const Communicator& world);
  GridShape grid_for(int ranks) const;
  void describe_run(const Communicator& world, const ThreadSetup& threads, GridShape grid);
  Benchmark benchmark(const Communicator& world, GridShape grid);

  SearchOptions options_;
  std::vector<std::string> argv_;
  double started_;
  std::string started_at_;
  LoadedGraph graph_;
  std::optional<RecordWriter> records_;
};

}  // namespace isobath
