// SPDX-License-Identifier: Apache-2.0
#include "apps/options.hpp"

#include <limits>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/switch_options.hpp"
#include "base/error.hpp"
#include "base/phase.hpp"
#include "comm/environment.hpp"
#include "graph500/official_rules.hpp"
#include "record/records.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

constexpr std::string_view graph500_name = "isobath-graph500";

/// Values as CLI11 fills them in, where they are not yet of the type we want.
struct RawOptions {
  std::optional<int> scale;
  std::string grid;
  std::vector<std::int64_t> roots;
  AskedSwitches switches;
  std::string kernel = "bfs";
  std::string path_plan;
  std::string prune;
  std::string edges = "memory";
  std::vector<std::int64_t> size_edges;
  bool no_validation = false;
  std::string validation_copy = "off";
  bool list_phases = false;
  bool build_info = false;
};

void add_options(CLI::App& app, Options& options, RawOptions& raw_options) {
  constexpr int many = std::numeric_limits<int>::max();
  app.add_option("--scale", raw_options.scale, "log2 of the number of vertices (needed)")
      ->check(CLI::Range(1, max_scale));
  app.add_option("--edgefactor", options.graph.edgefactor, "edges per vertex")
      ->capture_default_str()
      ->check(CLI::Range(1, max_edgefactor));
  app.add_option("--kernel", raw_options.kernel, "search breadth-first, for shortest paths, or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"bfs", "sssp", "both"}));
  app.add_option("--plan", options.plan, "search plan")
      ->capture_default_str()
      ->check(CLI::IsMember(plan_names()));
  app.add_option("--grid", raw_options.grid, "rows x columns of ranks, for example 2x3; default: the plan's");
  add_threads(app, options, "OMP_NUM_THREADS, else the cores of the node divided by its ranks");
  app.add_option("--keys", options.keys, "search keys to sample")
      ->capture_default_str()
      ->check(CLI::Range(1, many));
  app.add_option("--root", raw_options.roots,
                 "search from this vertex instead of sampled keys; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--edges", raw_options.edges, "where edges stay until the last validation")
      ->capture_default_str()
      ->check(CLI::IsMember({"memory", "file", "regenerate"}));
  app.add_option("--edge-folder", options.edge_folder, "folder for --edges file")->capture_default_str();
  app.add_flag("--no-validation", raw_options.no_validation,
               "do not validate; all results are then UNVALIDATED");
  app.add_option("--validation-copy", raw_options.validation_copy,
                 "keep a copy of the edges in the validator's order: on or off; 4 bytes an edge; "
                 "on as many ranks as a vertex has edges")
      ->capture_default_str()
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--warmup", options.warmup_searches, "untimed searches before the others")
      ->capture_default_str()
      ->check(CLI::Range(0, 1));
  app.add_flag("--official", options.official, "keep to the rules of an official run, or refuse");
  app.add_option("--alpha", options.alpha, "direction policy: when its arcs are many")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--beta", options.beta, "direction policy: when a frontier is wide")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  add_huge_pages(app, options.huge_pages);
  app.add_flag("--peer-records", options.peer_records, "record who sent how much to whom in every level too");
  app.add_option("--size-edges", raw_options.size_edges,
                 "bytes at which buckets of message sizes begin, as in 8,512,65536; default: four per octave")
      ->delimiter(',');
  app.add_option("--official-reference", options.official_reference_file,
                 "write the result in the reference's form");
  app.add_option("--official-spec", options.official_spec_file,
                 "write the result in the specification's names");
  app.add_option("--parents", options.parents_file,
                 "write every search's parents, 64-bit numbers, one search after the other");
  app.add_option("--distances", options.distances_file,
                 "write the distances of every search for shortest paths, 32-bit floating-point numbers");
  app.add_flag("--legacy-no-bang", options.legacy_no_bang, "leave out the stray ! of the reference's form");
  app.add_flag("--progress", options.progress, "say on standard error what is done, as the reference does");
  app.add_flag("--list-phases", raw_options.list_phases, "print the names of all phases and stop");
  app.add_flag("--build-info", raw_options.build_info, "print how this program was built, as JSON, and stop");
}

void add_path_options(CLI::App& app, Options& options, RawOptions& raw_options) {
  constexpr const char* group = "Shortest paths (--kernel sssp or both)";
  app.add_option("--sssp-plan", raw_options.path_plan,
                 "plan for shortest paths; default: landmark, in an official run delta-stepping")
      ->check(CLI::IsMember(path_plan_names()))
      ->group(group);
  app.add_option("--sssp-prune", raw_options.prune,
                 "leave out edges that lie on no shortest path: on or off; default: as the plan does")
      ->check(CLI::IsMember({"on", "off"}))
      ->group(group);
  app.add_option("--sssp-delta", options.delta, "width of a bucket of delta-stepping; 0: the plan's own")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
}

std::string listed_phases() {
  std::string text;
  for (const std::string_view name : phase_names) text += fmt::format("{}\n", name);
  return text;
}

std::optional<std::string> answer_to(const RawOptions& raw_options) {
  if (raw_options.list_phases) return listed_phases();
  if (raw_options.build_info) return to_json(build_info(), mpi_identity().standard_abi) + "\n";
  return std::nullopt;
}

/// Which kernels run, and how the second searches.
void take_kernels(const RawOptions& raw_options, Options& options) {
  options.kernels = {.bfs = raw_options.kernel != "sssp", .sssp = raw_options.kernel != "bfs"};
  if (options.kernels.sssp) {
    options.path_plan = raw_options.path_plan.empty() ? std::string(default_path_plan(options.official))
                                                      : raw_options.path_plan;
    options.prune = prunes(options.path_plan, raw_options.prune);
    if (options.delta != 0) expect_takes_delta(options.path_plan);
    return;
  }
  const auto refuse = [](const char* option) {
    throw UsageError(fmt::format("{} is for shortest paths; add --kernel sssp or --kernel both", option));
  };
  if (!raw_options.path_plan.empty()) refuse("--sssp-plan");
  if (!raw_options.prune.empty()) refuse("--sssp-prune");
  if (options.delta != 0) refuse("--sssp-delta");
  if (!options.distances_file.empty()) refuse("--distances");
}

void take_roots(const std::vector<std::int64_t>& roots, Options& options) {
  for (const std::int64_t root : roots) {
    if (root < 0 || root >= options.graph.num_vertices()) {
      throw UsageError(fmt::format("--root {} is no vertex of scale {}; vertices are 0 to {}", root,
                                   options.graph.scale, options.graph.num_vertices() - 1));
    }
    options.roots.push_back(GlobalVertex{root});
  }
}

}  // namespace

CommandLine<Options> read_command_line(int argc, const char* const* argv) {
  CommandLine<Options> line;
  RawOptions raw_options;
  CLI::App app("One run of the Graph500 benchmark: generate, construct, search, validate.",
               std::string(graph500_name));
  add_options(app, line.options, raw_options);
  add_path_options(app, line.options, raw_options);
  add_switches(app, raw_options.switches);
  add_switch(app, "ids", raw_options.switches);
  add_program_options(app, line.options);
  line.answer = read_words(app, argc, argv);
  if (!line.answer) line.answer = answer_to(raw_options);
  if (line.answer) return line;

  Options& options = line.options;
  if (!raw_options.scale)
    throw UsageError(fmt::format("--scale is missing; for example {} --scale 20", graph500_name));
  options.graph.scale = *raw_options.scale;
  if (!raw_options.grid.empty()) options.grid = GridShape::parse(raw_options.grid);
  if (options.grid) require_shape(options.plan, *options.grid);
  options.switches = switches_for(options.plan, raw_options.switches);
  options.edges = parse_edge_storage(raw_options.edges);
  options.validation = !raw_options.no_validation;
  options.validation_copy = raw_options.validation_copy == "on";
  take_kernels(raw_options, options);
  if (!raw_options.size_edges.empty()) options.size_buckets = SizeBuckets(raw_options.size_edges);
  take_roots(raw_options.roots, options);
  if (options.official) {
    check_official({.scale = options.graph.scale,
                    .edgefactor = options.graph.edgefactor,
                    .keys = options.keys,
                    .roots_are_given = !options.roots.empty(),
                    .validation = options.validation,
                    .warmup_searches = options.warmup_searches,
                    .prunes = options.prune});
  }
  return line;
}

GridShape grid_for(const Options& options, int ranks) {
  if (!options.grid) return default_shape(options.plan, ranks);
  const std::int64_t places = std::int64_t{options.grid->rows} * options.grid->cols;
  if (places != ranks) {
    throw UsageError(
        fmt::format("--grid {} needs {} ranks, but this run has {}; leave it out for the default",
                    options.grid->text(), places, ranks));
  }
  return *options.grid;
}

}  // namespace isobath
