// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/run_program.hpp"
#include "comm/bare/pending_collective.hpp"
#include "comm/bare/progress_thread.hpp"
#include "comm/communicator.hpp"
#include "comm/messages/small_messages.hpp"
#include "comm/nodes/node_map.hpp"
#include "machine/binding.hpp"
#include "overlap/cells.hpp"
#include "overlap/offload.hpp"
#include "overlap/operation.hpp"
#include "placement/launch_facts.hpp"
#include "placement/placement.hpp"
#include "timing/global_clock.hpp"
#include "timing/start_alignment.hpp"

namespace isobath {

/// Ranks behind the workers that aggregate for mode offload. Between times they sleep, so that they take no
/// processor from those who are measured.
class Aggregators {
 public:
  /// Collective. @param world  workers first, then aggregators; outlives the object
  Aggregators(const Communicator& world, const AggregationShape& shape);

  /// An aggregator's life: returns when it is dismissed.
  void attend();
  /// Of the workers: aggregators are ready for an OffloadClient until that stops. @param workers  of them all
  void wake(const Communicator& workers);
  /// Of the first worker alone, at the end.
  void dismiss();
  SmallMessages& messages() { return messages_; }

 private:
  std::byte next_order();
  void tell_all(std::byte word);

  AggregationShape shape_;
  SmallMessages messages_;
  SmallMessages control_;
};

/// What benchmarks are asked alike whose first ranks, the workers, compute and communicate, and whose last
/// may aggregate for them.
struct WorkerOptions : ProgramOptions {
  std::vector<ProgressMode> modes = {ProgressMode::library, ProgressMode::tests};
  int aggregators = 0;
  int trees = 1;
  int radix = 2;
  int repetitions = 1;        // of a cell
  double budget_seconds = 1;  // of a cell
  Alignment alignment = Alignment::dissemination;
  int launch = 0;

  bool has(ProgressMode mode) const { return std::ranges::count(modes, mode) != 0; }
};

/// --progress. @param words  what it is  @param nothing  word for no mode at all; empty: one is needed
void add_progress(CLI::App& app, WorkerOptions& options, const std::string& words,
                  const std::string& nothing = {});
/// The other options, and what every program is asked; --repetitions and --budget have limits of their own.
void add_worker_options(CLI::App& app, WorkerOptions& options);

/// @throws UsageError where a mode needs aggregators and there are none
void require_aggregators(const WorkerOptions& options);

/// What the workers need for every cell.
class WorkerTeam {
 public:
  /// Collective over workers. @param aggregators  nullptr: none; all parameters outlive the object
  WorkerTeam(const Communicator& workers, const WorkerOptions& options, const ThreadSetup& threads,
             const ProgressPlaces& places, NodeClocks& clocks, Aggregators* aggregators);

  const Communicator& comm() const { return comm_; }
  const ThreadSetup& threads() const { return threads_; }
  StartAlignment& alignment() { return alignment_; }
  AggregationShape shape() const { return shape_; }
  /// Why a way to make progress is not here. Absent mode: calls block.
  std::optional<std::string> why_not(std::optional<ProgressMode> mode) const;
  /// @param shares_processors  of the ranks with a thread, if there are no others
  bool is_oversubscribed(bool shares_processors) const {
    return threads_.oversubscribed || (shares_processors && !all_have_spare_);
  }
  /// The thread that makes progress; nullptr: none.
  ProgressThread* thread_of(std::optional<ProgressMode> mode);
  /// Collective over workers. Gives `use` what carries out `pending`: the library, or the aggregators, which
  /// are awake as long.
  void carry_out(std::optional<ProgressMode> mode, PendingCollective& pending,
                 const std::function<void(OverlapOperation&)>& use);
  /// Collective over workers. After a cell. Returns by how much times of different clocks may be wrong.
  std::int64_t compare_clocks();

 private:
  const Communicator& comm_;
  const ThreadSetup& threads_;
  AggregationShape shape_;
  NodeClocks& clocks_;
  Aggregators* aggregators_;
  std::optional<OffloadClient> client_;  // of all cells: see OffloadClient::stop()
  StartAlignment alignment_;
  bool all_have_spare_;
  std::optional<ProgressThread> own_thread_;
  std::optional<ProgressThread> spare_thread_;
};

/// What came of the cells.
struct Cells {
  std::size_t all = 0;
  std::size_t measured = 0;  // less than all where an end was asked for
  std::size_t wrong = 0;
};

/// What such a program is beside its cells.
struct WorkerBenchmark {
  std::string_view name;   // overlap: of the program behind isobath-, and of a run without a name
  std::string_view wrong;  // what is wrong in a cell that failed: contents
};

/// Such a program. It differs in its options and its cells.
template <class Options>
class WorkerProgram : public ProgramOf<Options> {
 public:
  using ProgramOf<Options>::ProgramOf;

  /// Threads of ours call MPI beside the main one; where there are none, it is not asked to bear them.
  ThreadLevel thread_level() const override {
    const WorkerOptions& options = this->options_;
    const bool has_thread = options.has(ProgressMode::thread) || options.has(ProgressMode::spare_thread);
    return has_thread ? ThreadLevel::multiple : ThreadLevel::funneled;
  }
  ExitCode run(Communicator& world, Vitals& vitals) override;

 protected:
  virtual WorkerBenchmark benchmark() const = 0;
  /// @throws UsageError where so many workers cannot do what is asked
  virtual void check_workers(int /*workers*/) const {}
  /// Collective over workers. Measures all cells, or those before an end was asked for. A UsageError is
  /// thrown by all alike, while no aggregator is awake.
  virtual Cells measure(WorkerTeam& team, Vitals& vitals) = 0;

  void write(const auto& record) {
    if (this->records_) this->records_->write(record);
  }
};

/// @throws UsageError where aggregators leave no rank to compute
int workers_of(const WorkerOptions& options, int ranks);
/// Collective over workers. Says on one rank what went wrong, and returns what to end with.
ExitCode conclude(const Communicator& workers, const Cells& cells, std::string_view wrong);

template <class Options>
ExitCode WorkerProgram<Options>::run(Communicator& world, Vitals& vitals) {
  const WorkerOptions& options = this->options_;
  const int workers = workers_of(options, world.size());
  check_workers(workers);
  const std::vector<int> cpus_before = allowed_cpus();
  const ThreadSetup threads = set_up_threads(world, options.threads);
  require_placement(world, threads.threads, threads.oversubscribed);
  this->open_records(world, benchmark().name);
  const ProgressPlaces places = progress_places(world, cpus_before, threads.threads);
  const bool is_worker = world.rank() < workers;
  const Communicator part = world.split(is_worker ? 0 : 1, world.rank());
  std::vector<RankClock> rank_clocks = clocks_of_world(world, make_node_map(world, host_key()).node_of_rank);
  rank_clocks.resize(static_cast<std::size_t>(workers));
  std::optional<NodeClocks> clocks;
  if (is_worker) clocks.emplace(part, std::move(rank_clocks));
  LaunchRecord launch = launch_record(world, threads,
                                      {.program = "isobath-" + std::string(benchmark().name),
                                       .argv = this->argv_,
                                       .started = this->started_at_,
                                       .launch = options.launch});
  if (clocks) {
    launch.clocks = clocks->clocks();
    launch.clock_error_seconds = static_cast<double>(clocks->error_nanoseconds()) / 1e9;
  }
  write(launch);
  std::optional<Aggregators> aggregators;
  if (options.aggregators > 0) {
    aggregators.emplace(world, AggregationShape{.workers = workers,
                                                .aggregators = options.aggregators,
                                                .radix = options.radix,
                                                .trees = options.trees});
  }
  if (!is_worker) {
    if (aggregators) aggregators->attend();
    return ExitCode::done;
  }
  const auto dismiss = [&] {
    if (world.rank() == 0 && aggregators) aggregators->dismiss();
  };
  Cells cells;
  try {
    WorkerTeam team(part, options, threads, places, *clocks, aggregators ? &*aggregators : nullptr);
    cells = measure(team, vitals);
  } catch (const UsageError&) {  // of all workers alike: no rank may stay behind
    dismiss();
    throw;
  }
  dismiss();
  if (this->records_) this->records_->flush();
  return conclude(part, cells, benchmark().wrong);
}

}  // namespace isobath
