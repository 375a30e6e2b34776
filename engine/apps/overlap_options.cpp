// SPDX-License-Identifier: Apache-2.0
#include "apps/overlap_options.hpp"

#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "comm/bare/pending_collective.hpp"

namespace isobath {
namespace {

/// As CLI11 fills them in.
struct TypedOverlap {
  std::vector<std::string> collectives = {"allreduce"};
  std::vector<std::string> works = {"product", "triad", "scan"};
  std::vector<std::string> references;
  std::vector<std::string> units;
  bool list = false;
};

void add_sweep(CLI::App& app, OverlapOptions& options, TypedOverlap& typed) {
  OverlapSweep& sweep = options.sweep;
  app.add_option("--collectives", typed.collectives, "to measure, with commas between; all: every one")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--sizes", sweep.sizes, "bytes of a vector or of a rank's block, with commas between")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{8}, std::int64_t{1} << 30));
  add_progress(app, options,
               "library, tests, thread, spare_thread, library_thread, offload, with commas between");
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

void add_method(CLI::App& app, OverlapOptions& options, TypedOverlap& typed) {
  app.add_option("--order", options.order, "of the matrices of product")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  app.add_option("--repetitions", options.repetitions, "of each cell")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  app.add_option("--budget", options.budget_seconds, "seconds of a cell, at the most")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 3600.0));
  app.add_option("--reference", typed.references,
                 "COLLECTIVE:BYTES=NANOSECONDS, by which work is chosen; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--unit", typed.units, "WORK=NANOSECONDS of one unit; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--list", typed.list, "print the collectives and stop");
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

void take(const TypedOverlap& typed, OverlapOptions& options) {
  OverlapSweep& sweep = options.sweep;
  sweep.collectives = typed.collectives;
  if (sweep.collectives == std::vector<std::string>{"all"}) {
    const std::vector<std::string_view> all = overlap_collectives();
    sweep.collectives.assign(all.begin(), all.end());
  }
  for (const std::string& name : sweep.collectives) parse_overlap_collective(name);
  sweep.modes = options.modes;
  sweep.works.clear();
  for (const std::string& name : typed.works) sweep.works.push_back(parse_work_kind(name));
  for (const std::string& text : typed.references) take_reference(text, options);
  for (const std::string& text : typed.units) take_unit(text, options);
  require_aggregators(options);
}

}  // namespace

CommandLine<OverlapOptions> read_overlap_command_line(int argc, const char* const* argv) {
  CommandLine<OverlapOptions> line;
  TypedOverlap typed;
  CLI::App app("Measures what non-blocking collectives hide behind fixed work.", "isobath-overlap");
  add_sweep(app, line.options, typed);
  add_method(app, line.options, typed);
  add_worker_options(app, line.options);
  line.answer = read_words(app, argc, argv);
  if (!line.answer && typed.list) {
    line.answer = fmt::format("{}\n", fmt::join(overlap_collectives(), "\n"));
  }
  if (!line.answer) take(typed, line.options);
  return line;
}

}  // namespace isobath
