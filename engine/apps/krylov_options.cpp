// SPDX-License-Identifier: Apache-2.0
#include "apps/krylov_options.hpp"

#include <random>
#include <utility>

#include <CLI/CLI.hpp>

namespace isobath {
namespace {

void add_factors(CLI::App& app, KrylovOptions& options, std::vector<std::string>& methods) {
  app.add_option("--elements", options.elements, "of a side of the mesh, with commas between")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{100'000}));
  app.add_option("--methods", methods, "cg, single, gropp, pipelined, with commas between")
      ->delimiter(',')
      ->capture_default_str();
  add_progress(app, options,
               "of gropp and pipelined beside blocking reductions: library, tests, thread, spare_thread, "
               "library_thread, offload, or none",
               "none");
  app.add_option("--tests", options.tests,
                 "calls of MPI_Test, of mode tests, in each operation that covers a reduction")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
}

void add_method_of_measurement(CLI::App& app, KrylovOptions& options) {
  app.add_option("--iterations", options.iterations, "of each solve")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--repetitions", options.repetitions, "solves of each cell")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--budget", options.budget_seconds, "seconds of a cell, after which none begins")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 36000.0));
  app.add_option("--seed", options.seed, "of the order of cells; 0: as they are listed")
      ->capture_default_str();
}

}  // namespace

CommandLine<KrylovOptions> read_krylov_command_line(int argc, const char* const* argv) {
  CommandLine<KrylovOptions> line;
  KrylovOptions& options = line.options;
  std::vector<std::string> methods = {"cg", "single", "gropp", "pipelined"};
  CLI::App app("Measures conjugate gradients, plain and pipelined, on a mesh of bilinear elements.",
               "isobath-krylov");
  add_factors(app, options, methods);
  add_method_of_measurement(app, options);
  add_worker_options(app, options);
  line.answer = read_words(app, argc, argv);
  if (line.answer) return line;
  options.methods.clear();
  for (const std::string& name : methods) options.methods.push_back(parse_krylov_method(name));
  require_aggregators(options);
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
