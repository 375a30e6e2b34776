// SPDX-License-Identifier: Apache-2.0
#include "apps/collectives_options.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "algorithms/own_algorithms.hpp"
#include "base/error.hpp"

namespace isobath {
namespace {

/// Options as they are typed.
struct Typed {
  std::string cells_file;
  std::string collectives;
  std::string sizes = "1:64K";
  std::string algorithm;
  std::string memory_limit;
  std::vector<std::string> matrices;
  CollectiveCell cell;
  bool own_algorithms = false;
};

void add_cells(CLI::App& app, Typed& typed) {
  CollectiveCell& cell = typed.cell;
  app.add_option("--cells", typed.cells_file,
                 "JSON file of what to measure, in this order; instead of the next");
  app.add_option("--collective", typed.collectives, "MPI's name, allreduce; several with commas between");
  app.add_option("--form", cell.form, "blocking, nonblocking or persistent")->capture_default_str();
  app.add_option("--sizes", typed.sizes, "bytes: 1,100,4K or powers of two 1:1M")->capture_default_str();
  app.add_option("--shape", cell.shape, "arrangement of the ranks: 4, 2x2, 2x2x2; default: one dimension");
  app.add_option("--along", cell.along, "world, row, col, or the number of a dimension")
      ->capture_default_str();
  app.add_flag("--together", cell.together, "all communicators along it at once");
  app.add_option("--counts", cell.counts, "uniform, zipf:S, sparse:K, block:B, recorded:NAME")
      ->capture_default_str();
  app.add_option("--matrix", typed.matrices, "NAME=FILE: bytes between ranks, JSON or CSV; may be repeated");
  app.add_option("--datatype", cell.datatype,
                 "byte, int8 ... uint64, float, double; default: byte, of reductions double");
  app.add_option("--operation", cell.operation,
                 "sum, prod, min, max, band, bor, bxor, land, lor, lxor; default: sum");
  app.add_option("--root-rank", cell.root_rank, "of rooted collectives")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--buffers", cell.buffers, "warm, offcache or dirty")->capture_default_str();
  app.add_option("--cadence", cell.cadence, "isolated or streaming")->capture_default_str();
  app.add_option("--alignment", cell.alignment,
                 "barrier:dissemination, barrier:library, barrier:double, roundtime")
      ->capture_default_str();
  app.add_option("--arrival", cell.arrival,
                 "zero, linear:D, one-late:D, given:D,... in microseconds; with roundtime")
      ->capture_default_str();
  app.add_option("--algorithm", typed.algorithm,
                 "VARIABLE=VALUE: control variable of the library; or one's own, own_ring; see --list");
}

void add_launch(CLI::App& app, CollectivesOptions& options, Typed& typed) {
  app.add_option("--launch", options.launch, "number of this launch")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--memory-limit", typed.memory_limit, "bytes of buffers on one node; default: what is free");
  app.add_option("--half-width", options.rule.half_width,
                 "stop when the median's interval is so tight, as a part of it")
      ->capture_default_str()
      ->check(CLI::Range(0.0001, 1.0));
  app.add_option("--least", options.rule.least, "repetitions before that")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000000));
  app.add_option("--most", options.rule.most, "repetitions of a cell")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000000));
  app.add_option("--budget", options.rule.budget_seconds, "seconds for one cell")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  app.add_option("--stacks", options.stack_seconds,
                 "after the times of a cell, seconds in which its stacks are looked at for its algorithm")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 60.0));
  app.add_flag("--list", options.list, "print collectives, forms and the library's algorithms, and stop");
  app.add_flag("--own-algorithms", typed.own_algorithms,
               "print algorithms of one's own with their collectives, and stop");
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof())
    throw EnvironmentError(fmt::format("cannot read {}; name a file that is there", path));
  return text;
}

/// The two parts around the first '='. @throws UsageError
std::pair<std::string, std::string> assignment(const std::string& text, std::string_view option,
                                               std::string_view form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("{} '{}' is not {}", option, text, form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ',');) parts.push_back(entry);
  return parts;
}

/// Every collective with every size.
std::vector<CollectiveCell> cells_by_hand(const Typed& typed) {
  std::vector<CollectiveCell> cells;
  for (const std::string& collective : parts_of(typed.collectives)) {
    for (const std::int64_t size : parse_sizes(typed.sizes)) {
      CollectiveCell cell = typed.cell;
      cell.collective = collective;
      cell.size_bytes = size;
      if (typed.algorithm.find('=') == std::string::npos) {
        cell.own_algorithm = typed.algorithm;
      } else {
        const auto [variable, value] =
            assignment(typed.algorithm, "--algorithm", "VARIABLE=VALUE; see --list");
        cell.algorithm = AlgorithmChoice{variable, value};
      }
      cells.push_back(std::move(cell));
      if (collective == "barrier") break;  // has no size
    }
  }
  return cells;
}

void take_cells(const Typed& typed, CollectivesOptions& options) {
  if (typed.cells_file.empty() == typed.collectives.empty()) {
    throw UsageError(typed.cells_file.empty()
                         ? "nothing is asked for; name --collective allreduce, --cells FILE or --list"
                         : "--cells and --collective exclude each other; leave one out");
  }
  if (!typed.cells_file.empty()) {
    CollectiveCells read = read_collective_cells(text_of(typed.cells_file), typed.cells_file);
    options.cells = std::move(read.cells);
    options.matrices = std::move(read.matrices);
  } else {
    options.cells = cells_by_hand(typed);
  }
  for (const std::string& matrix : typed.matrices) {
    const auto [name, path] = assignment(matrix, "--matrix", "NAME=FILE");
    options.matrices[name] = read_byte_matrix(text_of(path), path);
  }
}

}  // namespace

std::int64_t parse_bytes(std::string_view text) {
  const auto refuse = [&] {
    return UsageError(fmt::format("'{}' is no number of bytes; write for example 100, 4K, 1M or 2G", text));
  };
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || number < 0 || unit.size() > 1) throw refuse();
  int shift = 0;
  if (!unit.empty()) {
    const std::size_t place = std::string_view("KMG").find(unit[0]);
    if (place == std::string_view::npos) throw refuse();
    shift = 10 * static_cast<int>(place + 1);
  }
  if (number > (std::numeric_limits<std::int64_t>::max() >> 16 >> shift)) throw refuse();
  return number << shift;
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (const std::string& entry : parts_of(std::string(text))) {
    const std::size_t colon = entry.find(':');
    if (colon == std::string::npos) {
      sizes.push_back(parse_bytes(entry));
      continue;
    }
    const std::int64_t first = parse_bytes(std::string_view(entry).substr(0, colon));
    const std::int64_t last = parse_bytes(std::string_view(entry).substr(colon + 1));
    if (first < 1 || last < first) {
      throw UsageError(fmt::format("'{}' is no range of sizes; write for example 1:1M", entry));
    }
    for (std::int64_t size = first; size <= last; size *= 2) sizes.push_back(size);
  }
  if (sizes.empty()) throw UsageError("--sizes names no size; write for example 1:1M");
  return sizes;
}

CommandLine<CollectivesOptions> read_collectives_command_line(int argc, const char* const* argv) {
  CommandLine<CollectivesOptions> line;
  CollectivesOptions& options = line.options;
  Typed typed;
  CLI::App app("Measures the collectives of an MPI library: raw times of every rank and repetition.",
               "isobath-collectives");
  add_cells(app, typed);
  add_launch(app, options, typed);
  add_program_options(app, options);
  line.answer = read_words(app, argc, argv);
  if (!line.answer && typed.own_algorithms) line.answer = list_of_own_algorithms();
  if (line.answer) return line;
  if (!typed.memory_limit.empty()) options.memory_limit = parse_bytes(typed.memory_limit);
  if (options.rule.least > options.rule.most) {
    throw UsageError(fmt::format("--least {} is more than --most {}; raise one or lower the other",
                                 options.rule.least, options.rule.most));
  }
  if (!options.list) take_cells(typed, options);
  return line;
}

}  // namespace isobath
