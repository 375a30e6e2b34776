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

#include "apps/loaded_graph.hpp"
#include "apps/result_block.hpp"
#include "apps/run_program.hpp"
#include "apps/say.hpp"
#include "apps/search_options.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "generator/uniform_keys.hpp"
#include "graph500/protocol.hpp"
#include "graphfile/byte_source.hpp"
#include "machine/process_facts.hpp"
#include "partition/block_partition.hpp"
#include "placement/placement.hpp"
#include "placement/run_facts.hpp"
#include "placement/thread_setup.hpp"
#include "record/record_writer.hpp"
#include "sssp/plan.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/claimed_distances.hpp"

namespace isobath {
namespace {

/// A line of a file of claims: a vertex as the graph's file calls it, and what is claimed of it.
template <class Value>
struct Claim {
  std::int64_t vertex;
  Value value;
};

template <class Value>
std::vector<Claim<Value>> read_claims(const std::string& path) {
  static_assert(sizeof(Claim<Value>) == 16);
  const InputFile file(path);
  std::vector<Claim<Value>> claims(static_cast<std::size_t>(file.size()) / sizeof(Claim<Value>));
  if (static_cast<std::size_t>(file.size()) != claims.size() * sizeof(Claim<Value>)) {
    throw EnvironmentError(fmt::format(
        "{} has {} bytes, which is no multiple of the 16 of a claim; write it again", path, file.size()));
  }
  file.read(0, std::as_writable_bytes(std::span(claims)));
  return claims;
}

/// What is claimed of each vertex, `otherwise` where nothing is. Of a vertex that is not in the graph only
/// `otherwise` may be claimed: it was not reached.
template <class Value>
std::vector<Value> by_number(const std::vector<Claim<Value>>& claims, const LoadedGraph& graph,
                             Value otherwise) {
  std::vector<Value> values(static_cast<std::size_t>(graph.num_vertices), otherwise);
  for (const auto& [vertex, value] : claims) {
    const std::int64_t number = graph.number_of(vertex);
    if (number >= 0) {
      values[static_cast<std::size_t>(number)] = value;
    } else if (value != otherwise) {
      throw UsageError(
          fmt::format("{} is claimed to be reached but is no vertex of the graph; name the file that "
                      "was searched",
                      vertex));
    }
  }
  return values;
}

GlobalVertex as_in_file(GlobalVertex v, const LoadedGraph& graph) {
  return GlobalVertex{graph.id_of(raw(v))};
}

ExitCode say_verdict(const std::string& violation, const char* what, std::int64_t root,
                     std::int64_t reached) {
  if (!violation.empty()) {
    print_out(fmt::format("the {} from root {} are wrong: {}\n", what, root, violation));
    return ExitCode::violations;
  }
  print_out(fmt::format("the {} from root {} are right: {} vertices are reached, every rule holds\n", what,
                        root, reached));
  return ExitCode::done;
}

ExitCode validate_parents(const SearchOptions& options, const LoadedGraph& graph, GlobalVertex root,
                          const Communicator& world) {
  std::vector<GlobalVertex> parents;
  for (const std::int64_t parent :
       by_number<std::int64_t>(read_claims<std::int64_t>(options.claimed_parents_file), graph, -1)) {
    const std::int64_t number = parent == -1 ? -1 : graph.number_of(parent);
    // What is no vertex must not become "not reached": one past the last breaks the rule that it should.
    parents.push_back(GlobalVertex{parent != -1 && number < 0 ? graph.num_vertices : number});
  }
  BfsValidator validator(world, BlockPartition(graph.num_vertices, 1), *graph.edges);
  BfsValidation outcome = validator.validate(root, parents, {});
  for (RuleOutcome& rule : outcome.rules) {
    rule.first_vertex = as_in_file(rule.first_vertex, graph);
    rule.first_other = as_in_file(rule.first_other, graph);
  }
  return say_verdict(outcome.first_violation(), "parents", options.roots[0], outcome.vertices_reached);
}

ExitCode validate_distances_of(const SearchOptions& options, const LoadedGraph& graph, GlobalVertex root) {
  const bool weighted = !options.claimed_distances_file.empty();
  const std::string& path = weighted ? options.claimed_distances_file : options.claimed_levels_file;
  const std::vector<double> distances = by_number<double>(read_claims<double>(path), graph, unreached);
  DistanceVerdict verdict =
      validate_distances(*graph.edges, weighted, root, distances, weighted ? options.tolerance : 0);
  for (ClaimOutcome& claim : verdict.claims) {
    claim.first_vertex = as_in_file(claim.first_vertex, graph);
    claim.first_other = as_in_file(claim.first_other, graph);
  }
  return say_verdict(verdict.first_violation(), weighted ? "distances" : "levels", options.roots[0],
                     verdict.vertices_reached);
}

/// Validates what somebody else found from a root and prints a sentence: every rule holds, or the first that
/// does not and where, with vertices as the file calls them. One rank alone.
/// @throws UsageError for more ranks, or a root or a claim about a vertex that is not in the graph
/// @throws EnvironmentError where the claims cannot be read
ExitCode validate_claims(const SearchOptions& options, LoadedGraph& graph, const Communicator& world) {
  if (world.size() > 1)
    throw UsageError("claims are validated by one rank; start the program without a launcher");
  const std::int64_t number = graph.number_of(options.roots[0]);
  if (number < 0) {
    throw UsageError(fmt::format("--root {} is no vertex of the graph; choose another", options.roots[0]));
  }
  const GlobalVertex root{number};
  if (!options.claimed_parents_file.empty()) return validate_parents(options, graph, root, world);
  return validate_distances_of(options, graph, root);
}

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
    require_fitting_path_numbers(options_.path_plan, graph_.num_vertices, grid);
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
