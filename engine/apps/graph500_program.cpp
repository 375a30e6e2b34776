// SPDX-License-Identifier: Apache-2.0
#include "apps/graph500_program.hpp"

#include <unistd.h>

#include <ctime>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "apps/progress_lines.hpp"
#include "apps/result_block.hpp"
#include "apps/say.hpp"
#include "apps/stop_request.hpp"
#include "base/clock.hpp"
#include "graph500/official_rules.hpp"
#include "graph500/run_facts.hpp"
#include "record/process_facts.hpp"

namespace isobath {
namespace {

std::string run_id_or_default(const Options& options) {
  if (!options.run_id.empty()) return options.run_id;
  return fmt::format("{:%Y%m%d-%H%M%S}-s{}-{}", fmt::gmtime(std::time(nullptr)), options.graph.scale,
                     getpid());
}

}  // namespace

Graph500Program::Graph500Program(Options options, std::vector<std::string> argv)
    : options_(std::move(options)), argv_(std::move(argv)), started_(now_seconds()), started_at_(utc_now()) {}

/// What has to be right before any work; wrong use is found by all ranks alike.
ThreadSetup Graph500Program::prepare(const Communicator& world) {
  grid_ = grid_for(options_, world.size());
  const ThreadSetup threads = set_up_threads(world, options_.threads);
  if (options_.official) check_official_machine(threads.oversubscribed);
  return threads;
}

void Graph500Program::open_files(Communicator& world) {
  if (!options_.heartbeat_file.empty()) {
    heartbeat_ = std::make_unique<Heartbeat>(options_.heartbeat_file, world.rank(), world.size());
  }
  watcher_.emplace(*heartbeat_);
  world.watch(&*watcher_);
  if (world.rank() == 0 && !options_.record_file.empty()) {
    records_.emplace(options_.record_file, run_id_or_default(options_));
  }
}

void Graph500Program::describe_run(const Communicator& world, const ThreadSetup& threads) {
  RunRecord run = gather_run_facts(world, threads);
  run.program = "isobath-graph500";
  run.argv = argv_;
  run.started = started_at_;
  run.scale = options_.graph.scale;
  run.edgefactor = options_.graph.edgefactor;
  run.seeds = {options_.graph.seed1, options_.graph.seed2};
  run.plan = options_.plan;
  run.grid_rows = grid_.rows;
  run.grid_cols = grid_.cols;
  run.edges_storage = name_of(options_.edges);
  run.keys_requested = options_.roots.empty() ? options_.keys : static_cast<int>(options_.roots.size());
  run.validation = options_.validation;
  run.official = options_.official;
  run.warmup_searches = options_.warmup_searches;
  run.alpha = options_.alpha;
  run.beta = options_.beta;
  run.relabelled = options_.switches.relabel;
  run.leaves_pruned = options_.switches.leaves_out;
  for (const NamedSwitch& named : named_switches(options_.switches)) {
    run.switches.emplace_back(named.name, named.value);
  }
  if (records_) records_->write(run);
}

BenchmarkRequest Graph500Program::request() const {
  return {.graph = options_.graph,
          .edges = options_.edges,
          .edge_folder = options_.edge_folder,
          .plan = options_.plan,
          .grid = grid_,
          .alpha = options_.alpha,
          .beta = options_.beta,
          .switches = options_.switches,
          .node_of_rank = {},
          .keys = options_.keys,
          .roots = options_.roots,
          .warmup_searches = options_.warmup_searches,
          .validation = options_.validation,
          .construction_check = options_.official,
          .parents_file = options_.parents_file};
}

ExitCode Graph500Program::run(Communicator& world) {
  catch_stop_signals();
  const ThreadSetup threads = prepare(world);
  open_files(world);
  describe_run(world, threads);

  ProgressLines progress(world.rank(), options_.progress);
  const Session session{
      .world = world,
      .heartbeat = *heartbeat_,
      .records = records_ ? &*records_ : nullptr,
      .progress = progress,
      .stop_requested = [this] { return stop_signal_came() || heartbeat_->stop_requested(); },
      .started = started_,
      .threads = threads.threads};
  const Outcome outcome = run_benchmark(kronecker_benchmark(request(), world), session);

  if (world.rank() == 0) publish(outcome, options_, world.size(), threads.oversubscribed);
  return exit_code_of(outcome);
}

void Graph500Program::failed(int rank, const std::exception& error, ExitCode code) {
  if (!records_) return;
  FailureRecord failure;
  failure.phase = name_of(heartbeat_->current_phase());
  failure.rank = rank;
  if (watcher_ && watcher_->last_call() != nullptr) failure.last_call = watcher_->last_call();
  failure.elapsed_seconds = now_seconds() - started_;
  failure.message = error.what();
  failure.exit_code = static_cast<int>(code);
  try {
    records_->write(failure);
  } catch (const std::exception& second) {  // often the records are what failed
    say("isobath: no failure record: {}", second.what());
  }
}

}  // namespace isobath
