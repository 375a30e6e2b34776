// SPDX-License-Identifier: Apache-2.0
// isobath-delay: latency between nodes that are network namespaces, where the kernel cannot add it. No MPI.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/instruction_set.hpp"
#include "delay/delay_line.hpp"

namespace {

constexpr std::int64_t nanoseconds_per_microsecond = 1000;
constexpr int standard_input = 0;

/// Before whom the system lets this process run.
enum class Priority {
  real_time,  // before everybody else
  high,       // with more of the processors than others
  usual,
};

/// Takes the highest that is permitted, and timers without slack.
Priority take_priority() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  const sched_param least{.sched_priority = sched_get_priority_min(SCHED_FIFO)};
  if (sched_setscheduler(0, SCHED_FIFO, &least) == 0) return Priority::real_time;
  constexpr int highest = -20;
  return setpriority(PRIO_PROCESS, 0, highest) == 0 ? Priority::high : Priority::usual;
}

/// "real-time", "high", "usual".
std::string_view name_of(Priority priority) {
  switch (priority) {
    case Priority::real_time:
      return "real-time";
    case Priority::high:
      return "high";
    case Priority::usual:
      break;
  }
  return "usual";
}

/// A line, read by who started us: it may be gone.
void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

isobath::ExitCode pass_on(const isobath::DelayOptions& options) {
  isobath::DelayLine line(options);
  const Priority priority = take_priority();
  std::signal(SIGPIPE, SIG_IGN);
  say(fmt::format(R"({{"ready": true, "priority": "{}"}})", name_of(priority)));
  const isobath::DelayReport report = line.run_until(standard_input);
  say(fmt::format(
      R"({{"passed": {}, "lost_waiting": {}, "lost_at_interfaces": {}, "processor_seconds": {:.6f}, "late_us": {{"median": {}, "p99": {}, "most": {}}}}})",
      report.passed, report.lost_waiting, report.lost_at_interfaces, report.processor_seconds,
      report.lateness.microseconds_of(0.5), report.lateness.microseconds_of(0.99),
      report.lateness.most_microseconds()));
  return isobath::ExitCode::done;
}

}  // namespace

int main(int argc, char** argv) {
  isobath::DelayOptions options;
  std::int64_t latency_us = 0;
  CLI::App app(
      "Passes Ethernet frames on between network interfaces after a latency, until its standard input ends.\n"
      "Says on standard output when it is ready, and at the end what became of the frames, as JSON.",
      "isobath-delay");
  app.add_option("--latency-us", latency_us, "microseconds that each frame is kept")
      ->required()
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--limit", options.limit,
                 "frames of one interface that are kept at once; further ones are lost")
      ->required()
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("interfaces", options.interfaces, "names of two interfaces or more")
      ->required()
      ->expected(2, 64);
  app.set_version_flag("--version", ISOBATH_VERSION);
  try {
    isobath::require_popcnt();
    app.parse(argc, argv);
    options.latency_nanoseconds = latency_us * nanoseconds_per_microsecond;
    return static_cast<int>(pass_on(options));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "isobath-delay: {}; see isobath-delay --help\n", error.what());
    return static_cast<int>(isobath::ExitCode::usage);
  } catch (const std::exception& error) {
    fmt::print(stderr, "isobath-delay: {}\n", error.what());
    return static_cast<int>(isobath::exit_code_of(error));
  }
}
