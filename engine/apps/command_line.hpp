// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace isobath {

/// What every program with MPI is asked alike.
struct ProgramOptions {
  std::string record_file;  // empty: none; the same for the next
  std::string heartbeat_file;
  std::string run_id;          // empty: made from the time
  std::optional<int> threads;  // absent: the cores of the rank's share
  bool huge_pages = true;
  static constexpr bool is_threaded = true;  // has idle threads that wait for OpenMP
};

/// A command line, read.
template <class Options>
struct CommandLine {
  Options options;
  std::optional<std::string> answer;  // of --help, --version and the like: print it and stop
};

/// --record, --heartbeat, --run-id and --version.
void add_program_options(CLI::App& app, ProgramOptions& options);

/// --threads. @param usual  what holds without it
void add_threads(CLI::App& app, ProgramOptions& options, std::string_view usual = "the cores of its share");

/// Reads the words into what was declared. Returns what to print instead of running, where --help or
/// --version was asked for. @throws UsageError for anything that was not declared
std::optional<std::string> read_words(CLI::App& app, int argc, const char* const* argv);

/// Name of a run that was given none: when it was, of what, and which process.
std::string run_id_of(std::string_view what);

}  // namespace isobath
