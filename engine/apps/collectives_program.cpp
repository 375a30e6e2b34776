// SPDX-License-Identifier: Apache-2.0
// isobath-collectives: what the collectives of an MPI library cost.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "apps/collectives_options.hpp"
#include "apps/collectives_table.hpp"
#include "apps/result_block.hpp"
#include "apps/run_program.hpp"
#include "apps/say.hpp"
#include "collectives/bench.hpp"
#include "placement/launch_facts.hpp"
#include "placement/placement.hpp"

namespace isobath {
namespace {

/// isobath-collectives between the start and the end of MPI.
class CollectivesProgram final : public ProgramOf<CollectivesOptions> {
 public:
  using ProgramOf::ProgramOf;
  ExitCode run(Communicator& world, Vitals& vitals) override;
};

/// For whoever looks at a rank that is in it.
std::string title_of(const CollectiveCell& words, std::size_t order, std::size_t cells) {
  return fmt::format("cell {} of {}, {} {} of {} B", order + 1, cells, words.form, words.collective,
                     words.size_bytes);
}

/// Those of several dimensions, each once.
std::set<std::vector<int>> shapes_of(const std::vector<Cell>& cells) {
  std::set<std::vector<int>> found;
  for (const Cell& cell : cells) {
    if (cell.shape.extents.size() > 1) found.insert(cell.shape.extents);
  }
  return found;
}

ExitCode CollectivesProgram::run(Communicator& world, Vitals& vitals) {
  if (options_.list) {
    if (world.rank() == 0) print_out(list_of_collectives());
    return ExitCode::done;
  }
  std::vector<Cell> cells;
  for (const CollectiveCell& words : options_.cells) cells.push_back(understand(words, world.size()));
  open_records(world, "collectives");
  const ThreadSetup threads = set_up_threads(world, 1);
  require_placement(world, threads.threads, threads.oversubscribed);
  for (const std::vector<int>& extents : shapes_of(cells)) require_shape(world, extents);
  LaunchRecord launch = launch_record(
      world, threads,
      {.program = "isobath-collectives", .argv = argv_, .started = started_at_, .launch = options_.launch});
  BenchOptions bench_options{.rule = options_.rule,
                             .launch = options_.launch,
                             .memory_limit = options_.memory_limit,
                             .oversubscribed = launch.oversubscribed,
                             .stack_seconds = options_.stack_seconds,
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
  std::size_t measured = 0;
  for (std::size_t order = 0; order < cells.size(); ++order) {
    if (world.any(vitals.stop_requested())) break;
    vitals.heartbeat().cell(title_of(cells[order].words, order, cells.size()));
    const CollectiveRecord record = bench.measure(cells[order], static_cast<int>(order));
    failed = failed || world.any(record.data_check_failure.has_value());
    if (records_) records_->write(record);
    if (world.rank() == 0) print_out(collectives_table_row(record));
    ++measured;
  }
  if (records_) records_->flush();
  if (measured < cells.size() && !failed) return stopped_early(world, measured, cells.size());
  return failed ? ExitCode::violations : ExitCode::done;
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  return isobath::run_program<isobath::CollectivesProgram>(argc, argv,
                                                           isobath::read_collectives_command_line);
}
