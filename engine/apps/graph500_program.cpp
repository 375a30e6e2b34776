// SPDX-License-Identifier: Apache-2.0
#include "apps/graph500_program.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/result_block.hpp"
#include "apps/say.hpp"
#include "base/clock.hpp"
#include "graph500/official_rules.hpp"
#include "graph500/progress.hpp"
#include "machine/process_facts.hpp"
#include "placement/placement.hpp"
#include "placement/run_facts.hpp"

namespace isobath {
namespace {

/// What a run says on standard error: with `verbose` the lines of the reference program, always what went
/// wrong. Only rank 0 says anything.
class ProgressLines final : public Progress {
 public:
  ProgressLines(int rank, bool verbose) : is_speaker_(rank == 0), is_verbose_(rank == 0 && verbose) {}

  void generated(double seconds) override;
  void constructed(double seconds) override;
  void construction_is_wrong(const char* sentence) override;
  void search_begins(Kernel kernel, int index) override;
  void search_ended(Kernel kernel, int index, double seconds, double teps) override;
  void validation_begins(Kernel kernel, int index) override;
  void validated(Kernel kernel, int index, double seconds, const std::string& violation) override;

 private:
  bool is_speaker_;
  bool is_verbose_;
};

void ProgressLines::generated(double seconds) {
  if (is_verbose_) say("{:<32}{:f} s", "graph_generation:", seconds);
}

void ProgressLines::constructed(double seconds) {
  if (is_verbose_) say("{:<32}{:f} s", "construction_time:", seconds);
}

void ProgressLines::construction_is_wrong(const char* sentence) {
  if (is_speaker_) say("isobath: construction check failed: {}", sentence);
}

void ProgressLines::search_begins(Kernel kernel, int index) {
  if (is_verbose_) say("Running {} {}", title_of(kernel), index);
}

void ProgressLines::search_ended(Kernel kernel, int index, double seconds, double teps) {
  if (!is_verbose_) return;
  say("Time for {} {} is {:f}", title_of(kernel), index, seconds);
  say("TEPS for {} {} is {:g}", title_of(kernel), index, teps);
}

void ProgressLines::validation_begins(Kernel kernel, int index) {
  if (is_verbose_) say("Validating {} {}", title_of(kernel), index);
}

void ProgressLines::validated(Kernel kernel, int index, double seconds, const std::string& violation) {
  if (is_verbose_) say("Validate time for {} {} is {:f}", title_of(kernel), index, seconds);
  if (is_speaker_ && !violation.empty()) {
    say("isobath: validation failed for {} {}: {}", title_of(kernel), index, violation);
  }
}

}  // namespace

/// What has to be right before any work; wrong use is found by all ranks alike.
ThreadSetup Graph500Program::prepare(const Communicator& world) {
  grid_ = grid_for(options_, world.size());
  nodes_ = make_node_map(world, host_key());
  clock_skew_ = clock_skew(world);
  const ThreadSetup threads = set_up_threads(world, options_.threads);
  require_placement(world, threads.threads, threads.oversubscribed);
  if (options_.official) check_official_machine(threads.oversubscribed);
  return threads;
}

/// From now on every call of the world and of what is made from it is counted.
CommunicationRecords Graph500Program::keep_ledger(Communicator& world) {
  const double skew = clock_skew_[static_cast<std::size_t>(world.rank())];
  Clock clock = now_seconds;
  if (skew != 0) clock = [skew] { return now_seconds() + skew; };
  ledger_.emplace(Ledger::Settings{.rank = world.rank(),
                                   .node_of_rank = nodes_.node_of_rank,
                                   .buckets = options_.size_buckets,
                                   .clock = clock});
  world.keep(&*ledger_);
  return CommunicationRecords(world, *ledger_,
                              {.clock_of_rank = clocks_of_ranks(nodes_.node_of_rank, clock_skew_),
                               .shape = grid_,
                               .peer_matrices = options_.peer_records});
}

void Graph500Program::describe_run(const Communicator& world, const ThreadSetup& threads,
                                   const CommunicationRecords& communication) {
  RunRecord run = gather_run_facts(world, threads);
  run.program = "isobath-graph500";
  run.argv = argv_;
  run.started = started_at_;
  run.scale = options_.graph.scale;
  run.edgefactor = options_.graph.edgefactor;
  run.seeds = {options_.graph.seed1, options_.graph.seed2};
  run.kernel = name_of(options_.kernels);
  run.plan = options_.kernels.bfs ? options_.plan : options_.path_plan;
  if (options_.kernels.sssp) {
    run.paths = PathsRecord{.plan = options_.path_plan, .pruned = options_.prune, .delta = options_.delta};
  }
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
  if (options_.kernels.bfs) run.switches = named_switches(options_.switches);
  const std::string_view tasks = tasks_of(options_.plan, options_.switches, grid_, threads.threads);
  if (options_.kernels.bfs && !tasks.empty()) run.tasks = std::string(tasks);
  run.nodes = nodes_.nodes();
  run.node_of_rank = nodes_.node_of_rank;
  run.node_map_is_override = nodes_.is_override;
  run.clock_error_seconds = communication.clock_error_seconds();
  if (records_) records_->write(run);
}

BenchmarkRequest Graph500Program::request() const {
  return {.kernels = options_.kernels,
          .graph = options_.graph,
          .edges = options_.edges,
          .edge_folder = options_.edge_folder,
          .plan = options_.plan,
          .grid = grid_,
          .alpha = options_.alpha,
          .beta = options_.beta,
          .switches = options_.switches,
          .node_of_rank = nodes_.node_of_rank,
          .path_plan = options_.path_plan,
          .prune = options_.prune,
          .delta = options_.delta,
          .keys = options_.keys,
          .roots = options_.roots,
          .warmup_searches = options_.warmup_searches,
          .validation = options_.validation,
          .validation_copy = options_.validation_copy,
          .construction_check = options_.official && options_.kernels.bfs,
          .parents_file = options_.parents_file,
          .distances_file = options_.distances_file};
}

ExitCode Graph500Program::run(Communicator& world, Vitals& vitals) {
  const ThreadSetup threads = prepare(world);
  open_records(world, fmt::format("s{}", options_.graph.scale));
  CommunicationRecords communication = keep_ledger(world);
  describe_run(world, threads, communication);

  ProgressLines progress(world.rank(), options_.progress);
  const Session session{.world = world,
                        .heartbeat = vitals.heartbeat(),
                        .records = records(),
                        .progress = progress,
                        .communication = &communication,
                        .stop_requested = [&vitals] { return vitals.stop_requested(); },
                        .started = started_,
                        .threads = threads.threads};
  const Outcome outcome = run_benchmark(kronecker_benchmark(request(), world), session);

  if (world.rank() == 0) publish(outcome, options_, world.size(), threads.oversubscribed);
  return exit_code_of(outcome);
}

}  // namespace isobath
