// SPDX-License-Identifier: Apache-2.0
#include "apps/command_line.hpp"

#include <unistd.h>

#include <ctime>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "record/build_info.hpp"

namespace isobath {

void add_program_options(CLI::App& app, ProgramOptions& options) {
  app.add_option("--record", options.record_file, "append records to this file, one JSON object a line");
  app.add_option("--heartbeat", options.heartbeat_file, "show what every rank does in this file");
  app.add_option("--run-id", options.run_id, "name of the run in its records");
  app.set_version_flag("--version", fmt::format("{} {}\n", app.get_name(), build_info().version),
                       "print the version and stop");
}

void add_threads(CLI::App& app, ProgramOptions& options, std::string_view usual) {
  app.add_option("--threads", options.threads, fmt::format("threads of each rank; default: {}", usual))
      ->check(CLI::Range(1, 4096));
}

std::optional<std::string> read_words(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    return version.what();
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see {} --help", error.what(), app.get_name()));
  }
  return std::nullopt;
}

std::string run_id_of(std::string_view what) {
  return fmt::format("{:%Y%m%d-%H%M%S}-{}-{}", fmt::gmtime(std::time(nullptr)), what, getpid());
}

}  // namespace isobath
