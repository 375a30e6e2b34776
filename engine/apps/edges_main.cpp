// SPDX-License-Identifier: Apache-2.0
// isobath-edges: the generated edges, weights and search keys as files or streams, for anyone to check. No
// MPI.
#include <algorithm>
#include <bit>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/output_file.hpp"
#include "base/error.hpp"
#include "base/instruction_set.hpp"
#include "base/threads.hpp"
#include "generator/kronecker.hpp"
#include "generator/neighbour_search.hpp"
#include "generator/search_keys.hpp"

namespace isobath {
namespace {

static_assert(std::endian::native == std::endian::little, "the files' byte order is that of memory");

constexpr std::int64_t piece = 1 << 15;  // edges one thread generates at a time

/// Consecutive edges, complete before they are written.
struct Round {
  explicit Round(std::int64_t capacity)
      : edges(static_cast<std::size_t>(capacity)), weights(static_cast<std::size_t>(capacity)) {}

  void write(OutputFile* edge_file, OutputFile* weight_file) const {
    if (edge_file != nullptr) edge_file->write(std::as_bytes(std::span(edges).first(size)));
    if (weight_file != nullptr) weight_file->write(std::as_bytes(std::span(weights).first(size)));
  }

  std::vector<Edge> edges;
  std::vector<float> weights;
  std::size_t size = 0;
};

/// Writes edges first .. first + count - 1 in index order: two little-endian int64 each to `edges`, one
/// float32 each to `weights`; either may be null. All threads generate while one of them writes; memory is
/// bounded by some 4 MB a thread, whatever the count.
/// @throws EnvironmentError where a file cannot be written
void write_edges(const KroneckerGenerator& generator, std::int64_t first, std::int64_t count,
                 OutputFile* edges, OutputFile* weights) {
  const std::int64_t capacity = piece * 4 * max_threads();
  Round written(capacity);
  Round filled(capacity);
  std::exception_ptr failure;
  for (std::int64_t done = 0; done < count && !failure; done += capacity) {
    filled.size = static_cast<std::size_t>(std::min(capacity, count - done));
    const auto size = static_cast<std::int64_t>(filled.size);
#pragma omp parallel
    {
#pragma omp master
      {
        try {
          written.write(edges, weights);
        } catch (...) {
          failure = std::current_exception();
        }
      }
#pragma omp for schedule(dynamic, 1)
      for (std::int64_t at = 0; at < size; at += piece) {
        const auto begin = static_cast<std::size_t>(at);
        const auto length = static_cast<std::size_t>(std::min(piece, size - at));
        generator.edges(first + done + at, std::span(filled.edges).subspan(begin, length),
                        std::span(filled.weights).subspan(begin, weights == nullptr ? 0 : length));
      }
    }
    std::swap(written, filled);
  }
  if (failure) std::rethrow_exception(failure);
  written.write(edges, weights);
}

struct EdgesOptions {
  KroneckerParameters parameters;
  std::string edges;  // file names; empty where not wanted
  std::string weights;
  bool keys = false;
  int num_keys = 64;
  std::int64_t first = 0;
  std::int64_t count = -1;  // to the last edge
  int threads = 0;          // as OpenMP says
};

void declare(CLI::App& app, EdgesOptions& options) {
  app.add_option("--scale", options.parameters.scale, "log2 of the number of vertices, 1 to 43")->required();
  app.add_option("--edgefactor", options.parameters.edgefactor, "edges per vertex (16)");
  app.add_option("--output", options.edges,
                 "edges as pairs of little-endian int64, in index order; - for stdout");
  app.add_option("--weights", options.weights, "float32 weights in the same order; - for stdout");
  app.add_flag("--keys", options.keys, "print the search keys, one a line");
  app.add_option("--num-keys", options.num_keys, "search keys wanted (64); small graphs have fewer");
  app.add_option("--first", options.first, "index of the first edge (0)");
  app.add_option("--count", options.count, "number of edges (all from the first)");
  app.add_option("--threads", options.threads, "threads (as OMP_NUM_THREADS says)");
}

/// @throws UsageError
void check(EdgesOptions& options) {
  check(options.parameters);
  const std::int64_t num_edges = options.parameters.num_edges();
  const int to_stdout =
      (options.edges == "-" ? 1 : 0) + (options.weights == "-" ? 1 : 0) + (options.keys ? 1 : 0);
  if (options.edges.empty() && options.weights.empty() && !options.keys) {
    throw UsageError("nothing to write; choose --output FILE, --weights FILE or --keys");
  }
  if (to_stdout > 1 || (!options.edges.empty() && options.edges == options.weights)) {
    throw UsageError("edges, weights and keys cannot share one output; name a file for each");
  }
  if (options.first < 0 || options.first > num_edges) {
    throw UsageError(
        fmt::format("--first {} is out of range; the graph has {} edges, from 0", options.first, num_edges));
  }
  if (options.count == -1) options.count = num_edges - options.first;
  if (options.count < 0 || options.count > num_edges - options.first) {
    throw UsageError(fmt::format("--count {} is out of range; {} edges follow from --first {}", options.count,
                                 num_edges - options.first, options.first));
  }
  if (options.num_keys < 1)
    throw UsageError(fmt::format("--num-keys {} is out of range; at least 1", options.num_keys));
  if (options.threads < 0)
    throw UsageError(fmt::format("--threads {} is out of range; at least 1", options.threads));
}

void print_keys(const EdgesOptions& options, const KroneckerGenerator& generator) {
  const auto keys = sample_search_keys(
      options.parameters, options.num_keys,
      [&generator](std::span<const GlobalVertex> vertices) { return have_neighbours(generator, vertices); });
  for (const GlobalVertex key : keys) fmt::print("{}\n", raw(key));
  if (std::fflush(stdout) != 0) throw EnvironmentError("cannot write standard output; redirect it elsewhere");
}

ExitCode run(EdgesOptions options) {
  check(options);
  if (options.threads > 0) set_num_threads(options.threads);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that ends early is an error with a sentence, not a death
  const KroneckerGenerator generator(options.parameters);
  std::unique_ptr<OutputFile> edges;
  std::unique_ptr<OutputFile> weights;
  if (!options.edges.empty()) edges = std::make_unique<OutputFile>(options.edges);
  if (!options.weights.empty()) weights = std::make_unique<OutputFile>(options.weights);
  if (edges || weights) write_edges(generator, options.first, options.count, edges.get(), weights.get());
  if (edges) edges->finish();
  if (weights) weights->finish();
  if (options.keys) print_keys(options, generator);
  return ExitCode::done;
}

}  // namespace
}  // namespace isobath

int main(int argc, char** argv) {
  isobath::EdgesOptions options;
  CLI::App app("Writes the edges, weights and search keys of a Graph500 graph, bit for bit as reference 3.0.",
               "isobath-edges");
  declare(app, options);
  app.set_version_flag("--version", ISOBATH_VERSION);
  try {
    isobath::require_popcnt();
    app.parse(argc, argv);
    return static_cast<int>(isobath::run(options));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "isobath-edges: {}; see isobath-edges --help\n", error.what());
    return static_cast<int>(isobath::ExitCode::usage);
  } catch (const std::exception& error) {
    fmt::print(stderr, "isobath-edges: {}\n", error.what());
    return static_cast<int>(isobath::exit_code_of(error));
  }
}
