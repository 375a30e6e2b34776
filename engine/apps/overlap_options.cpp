// SPDX-License-Identifier: Apache-2.0
#include "apps/overlap_options.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.hpp"
#include "comm/pending_collective.hpp"
#include "record/build_info.hpp"

namespace isobath {
namespace {

constexpr std::string_view overlap_name = "isobath-overlap";

/// As CLI11 fills them in.
struct Typed {
  std::vector<std::string> collectives = {"allreduce"};
  std::vector<std::string> modes = {"library", "tests"};
  std::vector<std::string> works = {"product", "triad", "scan"};
  std::vector<std::string> references;
  std::vector<std::string> units;
  std::string alignment = "barrier:dissemination";
  int threads = 0;
  bool version = false;
  bool list = false;
};

void add_sweep(CLI::App& app, OverlapSweep& sweep, Typed& typed) {
  app.add_option("--collectives", typed.collectives, "to measure, with commas between; all: every one")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--sizes", sweep.sizes, "bytes of a vector or of a rank's block, with commas between")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{8}, std::int64_t{1} << 30));
  app.add_option("--progress", typed.modes,
                 "library, tests, thread, spare_thread, library_thread, offload, with commas between")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--work", typed.works, "product, triad, scan; the first is swept")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--ratios", sweep.ratios, "of work to call")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(0.01, 1000.0));
  app.add_option("--tests", sweep.tests, "calls of MPI_Test of mode tests")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
}

void add_method(CLI::App& app, OverlapOptions& options, Typed& typed) {
  app.add_option("--order", options.order, "of the matrices of product")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  app.add_option("--aggregators", options.aggregators, "the last so many ranks aggregate for offload")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  app.add_option("--trees", options.trees, "aggregation trees that pieces are spread over")
      ->capture_default_str()
      ->check(CLI::Range(1, 255));
  app.add_option("--radix", options.radix, "aggregators below an aggregator")
      ->capture_default_str()
      ->check(CLI::Range(2, 1024));
  app.add_option("--threads", typed.threads, "threads of each rank; default: the cores of its share")
      ->check(CLI::Range(1, 4096));
  app.add_option("--repetitions", options.repetitions, "of each cell")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--budget", options.budget_seconds, "seconds of a cell, at the most")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 3600.0));
  app.add_option("--alignment", typed.alignment,
                 "barrier:dissemination, barrier:library, barrier:double or roundtime")
      ->capture_default_str();
  app.add_option("--reference", typed.references,
                 "COLLECTIVE:BYTES=NANOSECONDS, by which work is chosen; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--unit", typed.units, "WORK=NANOSECONDS of one unit; may be repeated")
      ->allow_extra_args(false);
}

void add_outputs(CLI::App& app, OverlapOptions& options, Typed& typed) {
  app.add_option("--record", options.record_file, "append records to this file, one JSON object a line");
  app.add_option("--heartbeat", options.heartbeat_file, "show what every rank does in this file");
  app.add_option("--run-id", options.run_id, "name of the run in its records");
  app.add_option("--launch", options.launch, "number of this launch")->check(CLI::NonNegativeNumber);
  app.add_flag("--list", typed.list, "print the collectives and stop");
  app.add_flag("--version", typed.version, "print the version and stop");
}

/// The part [from, to) of a text as a number; false where it is none.
template <class T>
bool read_number(const std::string& text, std::size_t from, std::size_t to, T& value) {
  if (from >= to || to > text.size()) return false;
  const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
  return error == std::errc() && end == text.data() + to;
}

/// What stands behind the equals sign.
double nanoseconds_of(const std::string& option, const std::string& text, const std::string& like) {
  double nanoseconds = 0;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || !read_number(text, equals + 1, text.size(), nanoseconds) ||
      !(nanoseconds > 0) || !(nanoseconds < 1e12)) {
    throw UsageError(fmt::format("{} '{}' is not understood; write it as {}", option, text, like));
  }
  return nanoseconds;
}

void take_reference(const std::string& text, OverlapOptions& options) {
  constexpr const char* like = "allreduce:512=9000";
  const double nanoseconds = nanoseconds_of("--reference", text, like);
  const std::size_t colon = text.find(':');
  std::int64_t bytes = 0;
  if (colon == std::string::npos || !read_number(text, colon + 1, text.find('='), bytes)) {
    throw UsageError(fmt::format("--reference '{}' is not understood; write it as {}", text, like));
  }
  options.references[{std::string(name_of(parse_overlap_collective(text.substr(0, colon)))), bytes}] =
      nanoseconds;
}

void take_unit(const std::string& text, OverlapOptions& options) {
  const double nanoseconds = nanoseconds_of("--unit", text, "product=200");
  options.units[parse_work_kind(text.substr(0, text.find('=')))] = nanoseconds;
}

void take(const Typed& typed, OverlapOptions& options) {
  OverlapSweep& sweep = options.sweep;
  sweep.collectives = typed.collectives;
  if (sweep.collectives == std::vector<std::string>{"all"}) {
    const std::vector<std::string_view> all = overlap_collectives();
    sweep.collectives.assign(all.begin(), all.end());
  }
  for (const std::string& name : sweep.collectives) parse_overlap_collective(name);
  sweep.modes.clear();
  for (const std::string& name : typed.modes) sweep.modes.push_back(parse_progress_mode(name));
  sweep.works.clear();
  for (const std::string& name : typed.works) sweep.works.push_back(parse_work_kind(name));
  for (const std::string& text : typed.references) take_reference(text, options);
  for (const std::string& text : typed.units) take_unit(text, options);
  options.alignment = parse_alignment(typed.alignment);
  if (typed.threads != 0) options.threads = typed.threads;
  const bool offloads =
      std::find(sweep.modes.begin(), sweep.modes.end(), ProgressMode::offload) != sweep.modes.end();
  if (offloads && options.aggregators == 0) {
    throw UsageError("offload needs ranks that aggregate; add --aggregators 1 and start one rank more");
  }
}

}  // namespace

OverlapCommandLine read_overlap_command_line(int argc, const char* const* argv) {
  OverlapCommandLine line;
  Typed typed;
  CLI::App app("Measures what non-blocking collectives hide behind fixed work.", std::string(overlap_name));
  add_sweep(app, line.options.sweep, typed);
  add_method(app, line.options, typed);
  add_outputs(app, line.options, typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.answer = app.help();
    return line;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see {} --help", error.what(), overlap_name));
  }
  if (typed.version) line.answer = fmt::format("{} {}\n", overlap_name, build_info().version);
  if (typed.list) {
    line.answer.emplace();
    for (const std::string_view name : overlap_collectives()) *line.answer += fmt::format("{}\n", name);
  }
  if (!line.answer) take(typed, line.options);
  return line;
}

}  // namespace isobath
