// SPDX-License-Identifier: Apache-2.0
// isobath-search: searches of the graph of a file.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/claims.hpp"
#include "apps/loaded_graph.hpp"
#include "apps/result_block.hpp"
#include "apps/run_program.hpp"
#include "apps/say.hpp"
#include "apps/search_options.hpp"
#include "base/clock.hpp"
#include "generator/uniform_keys.hpp"
#include "graph500/protocol.hpp"
#include "machine/process_facts.hpp"
#include "placement/placement.hpp"
#include "placement/run_facts.hpp"
#include "placement/thread_setup.hpp"
#include "record/record_writer.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

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

/// Says what validation found.
class Verdicts final : public Progress {
 public:
  explicit Verdicts(bool is_speaker) : is_speaker_(is_speaker) {}

  void validated(Kernel kernel, int index, double /*seconds*/, const std::string& violation) override {
    if (!is_speaker_ || violation.empty()) return;
    say("isobath: validation failed for {} {}: {}", title_of(kernel), index, violation);
  }

 private:
  bool is_speaker_;
};

/// A line for each search, with roots as the file calls them.
std::string table_of(const Outcome& outcome, std::span<const std::int64_t> roots) {
  std::string lines = fmt::format("{:>20} {:>6} {:>12} {:>12}\n", "root", "kernel", "seconds", "TEPS");
  const auto add = [&](Kernel kernel, const std::vector<OfficialSearch>& searches) {
    for (std::size_t i = 0; i < searches.size(); ++i) {
      lines +=
          fmt::format("{:>20} {:>6} {:>12.6g} {:>12.6g}\n", roots[i], name_of(kernel), searches[i].seconds,
                      static_cast<double>(searches[i].traversed_edges) / searches[i].seconds);
    }
  };
  add(Kernel::bfs, outcome.searches);
  add(Kernel::sssp, outcome.path_searches);
  return lines;
}

/// log2 of the number of vertices, rounded up; records have it for the size of a graph.
int scale_of(std::int64_t num_vertices) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(num_vertices) - 1)));
}

SearchProgram::SearchProgram(SearchOptions options, std::vector<std::string> argv)
    : ProgramOf(std::move(options), std::move(argv)) {
  if (options_.name.empty()) options_.name = options_.graph.path;
}

GridShape SearchProgram::grid_for(int ranks) const {
  if (!options_.grid) return default_shape(options_.plan, ranks);
  const std::int64_t places = std::int64_t{options_.grid->rows} * options_.grid->cols;
  if (places == ranks) return *options_.grid;
  throw UsageError(fmt::format("--grid {} needs {} ranks, but this run has {}; leave it out for the default",
                               options_.grid->text(), places, ranks));
}

void SearchProgram::describe_run(const Communicator& world, const ThreadSetup& threads, GridShape grid) {
  const Switches& switches = options_.switches;
  RunRecord run = gather_run_facts(world, threads);
  run.program = "isobath-search";
  run.argv = argv_;
  run.started = started_at_;
  run.scale = scale_of(graph_.num_vertices);
  run.edgefactor = static_cast<int>(std::max<std::int64_t>(1, graph_.num_edges / graph_.num_vertices));
  run.seeds = {options_.seed, 0};
  run.kernel = name_of(options_.kernels);
  run.plan = options_.kernels.bfs ? options_.plan : options_.path_plan;
  if (options_.kernels.sssp) {
    run.paths = PathsRecord{.plan = options_.path_plan, .pruned = {}, .delta = options_.delta};
    if (options_.path_plan != any_path_plan) run.paths->pruned = prunes(options_.path_plan, "");
  }
  run.grid_rows = grid.rows;
  run.grid_cols = grid.cols;
  run.edges_storage = name_of(EdgeStorage::memory);
  run.keys_requested = options_.roots.empty() ? options_.keys : static_cast<int>(options_.roots.size());
  run.validation = options_.validation;
  run.warmup_searches = options_.warmup_searches;
  const PlanOptions plan;
  run.alpha = plan.alpha;
  run.beta = plan.beta;
  run.relabelled = switches.relabel;
  run.leaves_pruned = switches.leaves_out;
  if (options_.kernels.bfs) run.switches = named_switches(switches);
  run.nodes = 1;
  run.node_of_rank.assign(static_cast<std::size_t>(world.size()), 0);
  std::error_code no_size;
  const auto bytes = std::filesystem::file_size(options_.graph.path, no_size);
  run.graph = GraphFileRecord{.path = options_.name,
                              .format = std::string(name_of(options_.graph.format)),
                              .bytes = no_size ? 0 : static_cast<std::int64_t>(bytes),
                              .num_vertices = graph_.num_vertices,
                              .num_edges = graph_.num_edges,
                              .weighted = graph_.weighted,
                              .assigned_weights = {},
                              .weight_seed = {},
                              .numbering = graph_.ids ? "compact" : "file",
                              .load_seconds = graph_.seconds};
  if (options_.assigned.are_assigned()) run.graph->assigned_weights = name_of(options_.assigned.rule);
  if (options_.assigned.rule == AssignedWeights::Rule::random) {
    run.graph->weight_seed = options_.assigned.seed;
  }
  if (records_) records_->write(run);
}

Benchmark SearchProgram::benchmark(const Communicator& world, GridShape grid) {
  Benchmark benchmark;
  benchmark.generate = [this] { return std::move(graph_.edges); };
  benchmark.generate_weighted = [this] { return std::move(graph_.edges); };
  if (options_.kernels.bfs) {
    require_fitting_numbers(options_.plan, graph_.num_vertices, grid);
    benchmark.construct = [this, grid, &world](const EdgeStream& edges, PhaseObserver& observer) {
      PlanOptions plan;
      plan.shape = grid;
      plan.switches = options_.switches;
      return construct_plan(options_.plan, edges, world, plan, observer);
    };
  }
  if (options_.kernels.sssp) {
    benchmark.construct_paths = [this, grid, &world](const WeightedEdgeStream& edges,
                                                     PhaseObserver& observer) {
      const PathOptions plan{.shape = grid, .delta = options_.delta};
      return construct_path_plan(options_.path_plan, edges, world, plan, observer);
    };
  }
  benchmark.keys = options_.keys;
  benchmark.warmup_searches = options_.warmup_searches;
  benchmark.validation = options_.validation;
  benchmark.parents_file = options_.parents_file;
  benchmark.distances_file = options_.distances_file;
  benchmark.id_of = [this](GlobalVertex v) { return graph_.id_of(raw(v)); };
  for (const std::int64_t root : options_.roots) {
    const std::int64_t number = graph_.number_of(root);
    if (number < 0) {
      throw UsageError(graph_.ids ? fmt::format("--root {} is no vertex of an edge; choose another", root)
                                  : fmt::format("--root {} is no vertex; vertices of this graph are 0 to {}",
                                                root, graph_.num_vertices - 1));
    }
    benchmark.roots.push_back(GlobalVertex{number});
  }
  return benchmark;
}

ExitCode SearchProgram::run(Communicator& world, Vitals& vitals) {
  const GridShape grid = grid_for(world.size());
  const ThreadSetup threads = set_up_threads(world, options_.threads);
  require_placement(world, threads.threads, threads.oversubscribed);
  open_records(world, "search");
  vitals.heartbeat().phase(Phase::generate);
  graph_ = load_graph(options_, world);
  if (options_.verifies()) return validate_claims(options_, graph_, world);
  if (graph_.ids && world.rank() == 0 && !options_.ids_file.empty())
    write_ids(*graph_.ids, options_.ids_file);
  describe_run(world, threads, grid);

  Benchmark wanted = benchmark(world, grid);
  std::vector<std::int64_t> roots = options_.roots;
  wanted.sample_keys = [&](int keys, const HasNeighbour& has_neighbour) {
    const auto sampled = sample_uniform_keys(graph_.num_vertices, options_.seed, keys, has_neighbour);
    for (const GlobalVertex key : sampled) roots.push_back(graph_.id_of(raw(key)));
    return sampled;
  };
  Verdicts verdicts(world.rank() == 0);
  const Session session{.world = world,
                        .heartbeat = vitals.heartbeat(),
                        .records = records(),
                        .progress = verdicts,
                        .stop_requested = [&vitals] { return vitals.stop_requested(); },
                        .started = started_,
                        .threads = threads.threads};
  const Outcome outcome = run_benchmark(wanted, session);
  if (world.rank() == 0) {
    print_out(table_of(outcome, roots));
    if (!options_.validation) say("isobath: UNVALIDATED, no search of this run was validated");
  }
  return exit_code_of(outcome);
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  return isobath::run_program<isobath::SearchProgram>(argc, argv, isobath::read_search_command_line);
}
