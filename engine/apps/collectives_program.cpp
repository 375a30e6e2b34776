// SPDX-License-Identifier: Apache-2.0
#include "apps/collectives_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "apps/collectives_table.hpp"
#include "apps/result_block.hpp"
#include "apps/say.hpp"
#include "collectives/bench.hpp"
#include "comm/node_map.hpp"
#include "graph500/run_facts.hpp"
#include "record/process_facts.hpp"

extern char** environ;

namespace isobath {
namespace {

/// Variables that MPI libraries and their transports read.
std::map<std::string, std::string> mpi_environment() {
  constexpr std::array<std::string_view, 9> prefixes = {"MPIR_", "MPICH_", "OMPI_MCA_", "I_MPI_", "MV2_",
                                                        "UCX_",  "FI_",    "HCOLL_",    "SHARP_"};
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const bool is_of_mpi =
        std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
    if (is_of_mpi) found.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

}  // namespace

CollectivesProgram::CollectivesProgram(CollectivesOptions options, std::vector<std::string> argv)
    : options_(std::move(options)), argv_(std::move(argv)), started_at_(utc_now()) {}

/// Collective. Rank 0's file; where it cannot be opened all ranks leave.
void CollectivesProgram::open_records(const Communicator& world) {
  std::string complaint;
  if (world.rank() == 0 && !options_.record_path.empty()) {
    try {
      records_.emplace(options_.record_path, options_.run_id);
    } catch (const EnvironmentError& error) {
      complaint = error.what();
    }
  }
  complaint = world.broadcast(complaint, 0);
  if (!complaint.empty()) throw UsageError(complaint);
}

/// Collective.
LaunchRecord CollectivesProgram::described_launch(const Communicator& world,
                                                  const ThreadSetup& threads) const {
  RunRecord facts = gather_run_facts(world, threads);
  const NodeMap nodes = make_node_map(world, host_key());
  LaunchRecord launch;
  launch.program = "isobath-collectives";
  launch.version = facts.version;
  launch.argv = argv_;
  launch.started = started_at_;
  launch.launch = options_.launch;
  launch.ranks = facts.ranks;
  launch.threads_per_rank = facts.threads_per_rank;
  launch.oversubscribed = facts.oversubscribed;
  launch.build = std::move(facts.build);
  launch.mpi = std::move(facts.mpi);
  launch.hosts = std::move(facts.hosts);
  launch.binding = std::move(facts.binding);
  launch.nodes = nodes.nodes();
  launch.node_of_rank = nodes.node_of_rank;
  launch.node_map_is_override = nodes.is_override;
  launch.clock_resolution_seconds = facts.clock_resolution_seconds;
  launch.environment = mpi_environment();
  return launch;
}

ExitCode CollectivesProgram::run(Communicator& world) {
  if (options_.list) {
    if (world.rank() == 0) print_out(list_of_collectives());
    return ExitCode::done;
  }
  std::vector<Cell> cells;
  for (const CollectiveCell& words : options_.cells) cells.push_back(understand(words, world.size()));
  open_records(world);
  const ThreadSetup threads = set_up_threads(world, 1);
  LaunchRecord launch = described_launch(world, threads);
  BenchOptions bench_options{.rule = options_.rule,
                             .launch = options_.launch,
                             .memory_limit = options_.memory_limit,
                             .oversubscribed = launch.oversubscribed,
                             .node_of_rank = launch.node_of_rank,
                             .matrices = options_.matrices};
  std::int64_t cache = 0;
  for (const HostFacts& host : launch.hosts) cache = std::max(cache, host.l3_bytes.value_or(0));
  if (cache > 0) bench_options.cache_bytes = cache;
  CollectiveBench bench(world, std::move(bench_options));
  launch.clocks = bench.clocks().clocks();
  launch.clock_error_seconds = static_cast<double>(bench.clocks().error_nanoseconds()) / 1e9;
  if (records_) records_->write(launch);
  if (world.rank() == 0) {
    if (launch.oversubscribed)
      say("isobath: more ranks than processors; times are not those of this machine");
    print_out(collectives_table_head());
  }
  bool failed = false;
  for (std::size_t order = 0; order < cells.size(); ++order) {
    const CollectiveRecord record = bench.measure(cells[order], static_cast<int>(order));
    failed = failed || world.any(record.data_check_failure.has_value());
    if (records_) records_->write(record);
    if (world.rank() == 0) print_out(collectives_table_row(record));
  }
  if (records_) records_->flush();
  return failed ? ExitCode::violations : ExitCode::done;
}

}  // namespace isobath
