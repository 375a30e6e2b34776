// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/loaded_graph.hpp"
#include "apps/run_program.hpp"
#include "apps/search_options.hpp"
#include "graph500/protocol.hpp"
#include "placement/thread_setup.hpp"
#include "record/record_writer.hpp"

namespace isobath {

/// isobath-search between the start and the end of MPI: the protocol of the benchmark on the graph of a file.
class SearchProgram final : public ProgramOf<SearchOptions> {
 public:
  SearchProgram(SearchOptions options, std::vector<std::string> argv);
  ExitCode run(Communicator& world, Vitals& vitals) override;

 private:
  GridShape grid_for(int ranks) const;
  void describe_run(const Communicator& world, const ThreadSetup& threads, GridShape grid);
  Benchmark benchmark(const Communicator& world, GridShape grid);

  LoadedGraph graph_;
};

}  // namespace isobath
