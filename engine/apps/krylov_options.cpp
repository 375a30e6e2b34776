// SPDX-License-Identifier: Apache-2.0
#include "apps/krylov_options.hpp"

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.hpp"
#include "record/build_info.hpp"

namespace isobath {
namespace {

constexpr std::string_view krylov_name = "isobath-krylov";

/// As CLI11 fills them in.
struct TypedKrylov {
  std::vector<std::string> methods = {"cg", "single", "gropp", "pipelined"};
  std::vector<std::string> modes = {"library", "tests"};
  std::string alignment = "barrier:dissemination";
  int threads = 0;
  bool version = false;
};

void add_factors(CLI::App& app, KrylovOptions& options, TypedKrylov& typed) {
  app.add_option("--elements", options.elements, "of a side of the mesh, with commas between")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{100'000}));
  app.add_option("--methods", typed.methods, "cg, single, gropp, pipelined, with commas between")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--progress", typed.modes,
                 "of gropp and pipelined beside blocking reductions: library, tests, thread, spare_thread, "
                 "library_thread, offload, or none")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--tests", options.tests,
                 "calls of MPI_Test, of mode tests, in each operation that covers a reduction")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
}

void add_method_of_measurement(CLI::App& app, KrylovOptions& options, TypedKrylov& typed) {
  app.add_option("--iterations", options.iterations, "of each solve")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--aggregators", options.aggregators, "the last so many ranks aggregate for offload")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  app.add_option("--trees", options.trees, "aggregation trees")
      ->capture_default_str()
      ->check(CLI::Range(1, 255));
  app.add_option("--radix", options.radix, "aggregators below an aggregator")
      ->capture_default_str()
      ->check(CLI::Range(2, 1024));
  app.add_option("--threads", typed.threads, "threads of each rank; default: the cores of its share")
      ->check(CLI::Range(1, 4096));
  app.add_option("--repetitions", options.repetitions, "solves of each cell")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--budget", options.budget_seconds, "seconds of a cell, after which none begins")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 36000.0));
  app.add_option("--alignment", typed.alignment,
                 "barrier:dissemination, barrier:library, barrier:double or roundtime")
      ->capture_default_str();
}

void add_krylov_outputs(CLI::App& app, KrylovOptions& options, TypedKrylov& typed) {
  app.add_option("--seed", options.seed, "of the order of cells; 0: as they are listed")
      ->capture_default_str();
  app.add_option("--record", options.record_file, "append records to this file, one JSON object a line");
  app.add_option("--heartbeat", options.heartbeat_file, "show what every rank does in this file");
  app.add_option("--run-id", options.run_id, "name of the run in its records");
  app.add_option("--launch", options.launch, "number of this launch")->check(CLI::NonNegativeNumber);
  app.add_flag("--version", typed.version, "print the version and stop");
}

void take(const TypedKrylov& typed, KrylovOptions& options) {
  options.methods.clear();
  for (const std::string& name : typed.methods) options.methods.push_back(parse_krylov_method(name));
  options.modes.clear();
  for (const std::string& name : typed.modes) {
    if (name != "none") options.modes.push_back(parse_progress_mode(name));
  }
  options.alignment = parse_alignment(typed.alignment);
  if (typed.threads != 0) options.threads = typed.threads;
  const bool offloads =
      std::find(options.modes.begin(), options.modes.end(), ProgressMode::offload) != options.modes.end();
  if (offloads && options.aggregators == 0) {
    throw UsageError("offload needs ranks that aggregate; add --aggregators 1 and start one rank more");
  }
}

}  // namespace

KrylovCommandLine read_krylov_command_line(int argc, const char* const* argv) {
  KrylovCommandLine line;
  TypedKrylov typed;
  CLI::App app("Measures conjugate gradients, plain and pipelined, on a mesh of bilinear elements.",
               std::string(krylov_name));
  add_factors(app, line.options, typed);
  add_method_of_measurement(app, line.options, typed);
  add_krylov_outputs(app, line.options, typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.answer = app.help();
    return line;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see {} --help", error.what(), krylov_name));
  }
  if (typed.version) line.answer = fmt::format("{} {}\n", krylov_name, build_info().version);
  if (!line.answer) take(typed, line.options);
  return line;
}

std::vector<KrylovCell> krylov_cells(const KrylovOptions& options) {
  std::vector<KrylovCell> cells;
  for (const std::int64_t elements : options.elements) {
    for (const KrylovMethod method : options.methods) {
      cells.push_back({.elements = elements, .method = method});
      if (!shape_of(method).starts_early) continue;
      for (const ProgressMode mode : options.modes) {
        const std::vector<int> none = {0};
        for (const int tests : mode == ProgressMode::tests ? options.tests : none) {
          cells.push_back({.elements = elements, .method = method, .mode = mode, .tests = tests});
        }
      }
    }
  }
  if (options.seed == 0) return cells;
  std::mt19937 random(options.seed);  // the same on all ranks; the shuffle of the library may differ
  for (std::size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[random() % i]);
  return cells;
}

}  // namespace isobath
