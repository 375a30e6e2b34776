// SPDX-License-Identifier: Apache-2.0
// isobath-limits: what the memory of this machine gives, which searches are held against.
#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/memory_limits.hpp"
#include "base/error.hpp"
#include "base/instruction_set.hpp"
#include "base/threads.hpp"

namespace {

constexpr double seconds_of_each_rate = 0.2;

isobath::ExitCode measure(int threads, std::size_t largest) {
  if (threads > 0) isobath::set_num_threads(threads);
  std::vector<isobath::MemoryRates> rates;
  for (const std::size_t bytes : isobath::measured_sizes) {
    if (bytes <= largest) rates.push_back(isobath::measure_memory(bytes, seconds_of_each_rate));
  }
  fmt::print("{}\n", isobath::json_of(isobath::max_threads(), rates));
  return isobath::ExitCode::done;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0;
  std::size_t largest =
      *std::max_element(std::begin(isobath::measured_sizes), std::end(isobath::measured_sizes));
  CLI::App app("Measures how fast arrays are read, written and read at random, and prints it as JSON.",
               "isobath-limits");
  app.add_option("--threads", threads, "threads (as OMP_NUM_THREADS says)")->check(CLI::Range(1, 4096));
  app.add_option("--largest", largest, "bytes of the largest array; 1 MiB, 16 MiB and 256 MiB are measured")
      ->capture_default_str()
      ->check(CLI::Range(isobath::measured_sizes[0], largest));
  app.set_version_flag("--version", ISOBATH_VERSION);
  try {
    isobath::require_popcnt();
    app.parse(argc, argv);
    return static_cast<int>(measure(threads, largest));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "isobath-limits: {}; see isobath-limits --help\n", error.what());
    return static_cast<int>(isobath::ExitCode::usage);
  } catch (const std::exception& error) {
    fmt::print(stderr, "isobath-limits: {}\n", error.what());
    return static_cast<int>(isobath::exit_code_of(error));
  }
}
