// SPDX-License-Identifier: Apache-2.0
#include "apps/search_options.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/switch_options.hpp"
#include "base/error.hpp"
#include "sssp/plan.hpp"

namespace isobath {
namespace {

constexpr std::string_view search_name = "isobath-search";
constexpr std::array<const char*, 3> numbering_names = {"auto", "file", "compact"};

/// Values as CLI11 fills them in, where they are not yet of the type we want.
struct RawSearchOptions {
  std::string kernel = "bfs";
  std::string weights;
  std::string path_plan;
  std::string format;
  std::string weight_type = "auto";
  std::string numbering = "auto";
  std::string grid;
  AskedSwitches switches;
  std::optional<std::uint64_t> weight_seed;
  bool no_validation = false;
};

void add_graph(CLI::App& app, SearchOptions& options, RawSearchOptions& raw_options) {
  app.add_option("graph", options.graph.path, "file of a graph: .mtx, .el, .wel, .sg, .wsg, .packed or .raw");
  app.add_option("--format", raw_options.format,
                 "of the file, where its name does not say: mtx, el, wel, sg, "
                 "wsg, packed or raw");
  app.add_option("--weights", raw_options.weights,
                 "unit: all 1; random: by the ends of an edge; else a file of "
                 "float32 weights of packed or raw edges; default: those of the file");
  app.add_option("--weight-seed", raw_options.weight_seed, "of random weights; default: 1");
  app.add_option("--weight-type", raw_options.weight_type, "of a .wsg: auto, int32 or float32")
      ->capture_default_str();
  app.add_option("--numbering", raw_options.numbering,
                 "of vertices inside: file, compact (only those with edges), auto")
      ->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>(numbering_names.begin(), numbering_names.end())));
  app.add_option("--name", options.name, "of the graph in records; default: its path");
}

void add_search(CLI::App& app, SearchOptions& options, RawSearchOptions& raw_options) {
  constexpr int many = std::numeric_limits<int>::max();
  app.add_option("--kernel", raw_options.kernel, "search breadth-first, for shortest paths, or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"bfs", "sssp", "both"}));
  app.add_option("--root", options.roots, "search from this vertex instead of sampled keys; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--keys", options.keys, "search keys to sample")
      ->capture_default_str()
      ->check(CLI::Range(1, many));
  app.add_option("--seed", options.seed, "of the sample")->capture_default_str();
  app.add_option("--plan", options.plan, "search plan of bfs")
      ->capture_default_str()
      ->check(CLI::IsMember(plan_names()));
  std::vector<std::string> path_plans = path_plan_names();
  path_plans.insert(path_plans.begin(), std::string(any_path_plan));
  app.add_option("--sssp-plan", raw_options.path_plan,
                 "search plan of sssp; auto (default): landmark where it leaves out most edges, else "
                 "delta-stepping")
      ->check(CLI::IsMember(path_plans));
  app.add_option("--sssp-delta", options.delta, "width of a bucket of delta-stepping; 0: the plan's own")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--grid", raw_options.grid, "rows x columns of ranks, for example 2x3; default: the plan's");
  add_threads(app, options);
  app.add_flag("--no-validation", raw_options.no_validation,
               "do not validate; all results are then UNVALIDATED");
  app.add_option("--warmup", options.warmup_searches, "untimed searches before the others")
      ->capture_default_str()
      ->check(CLI::Range(0, 1));
}

void add_claims(CLI::App& app, SearchOptions& options) {
  constexpr const char* group = "Instead of a search: validate what somebody else found from --root";
  const auto add = [&](const char* option, std::string& value, const char* words) {
    app.add_option(option, value, words)->group(group);
  };
  add("--claimed-parents", options.claimed_parents_file, "pairs of int64, vertex and parent");
  add("--claimed-levels", options.claimed_levels_file, "pairs of int64 and float64, vertex and level");
  add("--claimed-distances", options.claimed_distances_file,
      "pairs of int64 and float64, vertex and distance");
  app.add_option("--tolerance", options.tolerance, "of distances, as a part of the larger one")
      ->group(group)
      ->check(CLI::Range(0.0, 0.01));
}

void add_outputs(CLI::App& app, SearchOptions& options) {
  app.add_option("--parents", options.parents_file,
                 "write every search's parents, 64-bit numbers, one search after the other");
  app.add_option("--distances", options.distances_file,
                 "write the distances of every search for shortest paths, 32-bit floating-point numbers");
  app.add_option("--ids", options.ids_file,
                 "write the file's ids of vertices that were numbered compactly, int64");
}

/// Weights are those of the file, of a file beside it, or assigned.
void take_weights(const RawSearchOptions& raw_options, SearchOptions& options) {
  options.assigned.rule = weight_rule_of(raw_options.weights);
  if (raw_options.weight_seed && options.assigned.rule != AssignedWeights::Rule::random) {
    throw UsageError("--weight-seed is of random weights; add --weights random");
  }
  if (raw_options.weight_seed) options.assigned.seed = *raw_options.weight_seed;
  if (!options.assigned.are_assigned()) options.graph.weights_path = raw_options.weights;
  options.graph.wants_weights =
      (options.kernels.sssp || !options.claimed_distances_file.empty()) && !options.assigned.are_assigned();
}

/// Which kernels search, and how the second does.
void take_kernels(const RawSearchOptions& raw_options, SearchOptions& options) {
  options.kernels = {.bfs = raw_options.kernel != "sssp", .sssp = raw_options.kernel != "bfs"};
  if (options.kernels.sssp) {
    options.path_plan = raw_options.path_plan.empty() ? std::string(any_path_plan) : raw_options.path_plan;
    if (options.delta != 0) expect_takes_delta(options.path_plan);
    return;
  }
  const auto refuse = [](const char* option) {
    throw UsageError(fmt::format("{} is for shortest paths; add --kernel sssp or --kernel both", option));
  };
  if (!raw_options.path_plan.empty()) refuse("--sssp-plan");
  if (options.delta != 0) refuse("--sssp-delta");
  if (!options.distances_file.empty()) refuse("--distances");
}

FileNumbering numbering_of(const std::string& name) {
  const auto found = std::find(numbering_names.begin(), numbering_names.end(), name);
  return static_cast<FileNumbering>(found - numbering_names.begin());
}

void check_claims(const SearchOptions& options) {
  if (options.verifies() && options.roots.size() != 1) {
    throw UsageError("claims are of one search; name its root with --root");
  }
}

}  // namespace

CommandLine<SearchOptions> read_search_command_line(int argc, const char* const* argv) {
  CommandLine<SearchOptions> line;
  SearchOptions& options = line.options;
  RawSearchOptions raw_options;
  CLI::App app("Searches the graph of a file from given or sampled roots, and validates.",
               std::string(search_name));
  add_graph(app, options, raw_options);
  add_search(app, options, raw_options);
  add_switches(app, raw_options.switches);
  add_huge_pages(app, options.huge_pages);
  add_claims(app, options);
  add_outputs(app, options);
  add_program_options(app, options);
  line.answer = read_words(app, argc, argv);
  if (line.answer) return line;
  if (options.graph.path.empty()) {
    throw UsageError(fmt::format("there is no graph; name a file, as in {} graph.mtx", search_name));
  }
  options.graph.format = raw_options.format.empty() ? format_of_file(options.graph.path)
                                                    : parse_graph_format(raw_options.format);
  options.graph.weight_type = parse_weight_type(raw_options.weight_type);
  options.switches = switches_for(options.plan, raw_options.switches);
  take_kernels(raw_options, options);
  take_weights(raw_options, options);
  options.numbering = numbering_of(raw_options.numbering);
  if (!raw_options.grid.empty()) {
    options.grid = GridShape::parse(raw_options.grid);
    require_shape(options.plan, *options.grid);
  }
  options.validation = !raw_options.no_validation;
  check_claims(options);
  return line;
}

}  // namespace isobath
